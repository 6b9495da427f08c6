// Requests to the server. Every failure is an ApiError with a sentence that can be shown.

class ApiError extends Error {
  constructor({ kind, message, ...rest }, status = 0) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.more = rest;
  }
}

/** The JSON of a body. A seed may be a BigInt, which JSON.stringify cannot write as a number. */
function written(body) {
  const text = JSON.stringify(body, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
  return text.replace(/"seed":"(\d+)n"/, '"seed":$1');
}

async function request(method, path, body, signal, read = (answer) => answer.json()) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : written(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError({ kind: "offline", message: "The server is not responding. Is it still running?" });
  }
  if (answer.status === 204) return null;
  const content = await (answer.ok ? read(answer) : answer.json()).catch((error) => {
    if (error.name === "AbortError") throw error;
    return null; // the answer is no JSON
  });
  if (answer.ok && content !== null) return content;
  const message = `The server answered with status ${answer.status} and gave no reason.`;
  throw new ApiError(content?.error ?? { kind: "server", message }, answer.status);
}

export const get = (path, signal) => request("GET", path, undefined, signal);
export const getText = (path, signal) => request("GET", path, undefined, signal, (answer) => answer.text());
export const post = (path, body = {}, signal) => request("POST", path, body, signal);
export const remove = (path) => request("DELETE", path);

const once = new Map();

/** Request data that does not change while the page is open, only once. */
export function getOnce(path) {
  if (!once.has(path)) {
    const answer = get(path);
    answer.catch(() => once.delete(path));
    once.set(path, answer);
  }
  return once.get(path);
}

/** A file as the body of a request: its bytes, and the format given by its name. */
export async function fileBody(file) {
  const { formats } = await getOnce("formats");
  const ending = /\.[^.]+$/.exec(file.name.toLowerCase())?.[0];
  const format = formats.find(({ suffixes }) => suffixes.includes(ending));
  return { data: await base64(file), ...(format ? { from: format.name } : {}) };
}

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
