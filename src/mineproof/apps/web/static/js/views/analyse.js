// Analyse: build or paste a position, and see what follows from it.
import { html, useEffect, useId, useMemo, useRef, useState } from "../lib.js";
import { fileBody, post } from "../api.js";
import { BoardBox, zoomBy } from "../boardbox.js";
import { useBrought } from "../brought.js";
import { blank, isClosed, nameOf, parsePosition, toText } from "../cells.js";
import { Coach } from "../coach/coach.js";
import { WhyPanel } from "../coach/why.js";
import { hands, useKeys } from "../keyboard.js";
import { Panel } from "../panel.js";
import { overlayOf } from "../overlay.js";
import { go, href, route } from "../router.js";
import { kept, useStore } from "../store.js";
import { Button, Dialog, Glyph, Icon, Segmented, Verdict, Waiting, copy, say } from "../ui.js";
import { Sentence } from "../words.js";
import { Legend } from "./bars.js";
import { Conflict, Follows, conflictMarks, contradiction } from "./verdict.js";

const EXAMPLE = [
  "16x10x28", "H11121HHHHHHHHHH", "221H3HHHHHHHHHHH", "H1113H312HHHHHHH", "110011101H1HHHHH", "11100111123HHHHH",
  "2H2001H101HH1HHH", "2H20022201222HHH", "233101H100012HHH", "3HH211110001HHHH", "HH4H100000012HHH",
].join("-");
const MOST = 62500; // cells
const BRUSHES = "HFQS*012345678";
const ROW = /^[0-8HFQS*?]+$/i;
const USUAL_DENSITY = 0.2; // mines per cell, where a text does not say how many there are
const WHEEL = "H012345678F";
const BRUSH_NAMES = { H: "closed", F: "flag", Q: "question mark", S: "named safe", "*": "opened mine", 0: "empty" };

const fromQuery = (text) => parsePosition(text.replaceAll("-", "\n"));
const toQuery = (position) => toText(position).trim().replaceAll("\n", "-");

/** The text of a position whose rows stand in one line, with slashes or dashes between them, in the native format; and
 * the number of mines, if the text does not say it and it is assumed. */
function prepared(text) {
  const parts = text.trim().split(/\s*[\n/-]\s*/);
  const headed = /^\d+x\d+x\d+$/.test(parts[0]);
  const rows = headed ? parts.slice(1) : parts;
  if (parts.length < 2 || rows.some((row) => !ROW.test(row) || row.length !== rows[0].length)) return { text };
  if (headed) return { text: parts.join("\n") };
  const symbols = rows.join("");
  const clues = [...symbols].map((symbol) => Number(symbol) || 0);
  const least = Math.max(...clues, symbols.replace(/[^F*?]/gi, "").length);
  const mines = Math.max(least, Math.round(USUAL_DENSITY * symbols.length));
  return { text: [`${rows[0].length}x${rows.length}x${mines}`, ...rows].join("\n"), assumed: mines };
}

const sayAssumed = (mines) => say(`The text does not say how many mines there are: ${mines} assumed.`);

/** A position that can be edited, with undo and redo. */
function useEdited() {
  const [now, setNow] = useState(null);
  const past = useRef([]);
  const future = useRef([]);
  const put = (position, { fresh = false } = {}) => {
    if (now && !fresh) past.current.push(now);
    if (past.current.length > 500) past.current.shift();
    future.current = [];
    setNow(position);
  };
  const step = (from, to) => {
    if (!from.current.length) return;
    to.current.push(now);
    setNow(from.current.pop());
  };
  return {
    now, put, undo: () => step(past, future), redo: () => step(future, past), canUndo: past.current.length > 0,
    canRedo: future.current.length > 0, before: past.current.at(-1),
  };
}

export function AnalyseView({ query }) {
  const edited = useEdited();
  const { now, put } = edited;
  const [failed, setFailed] = useState(null);
  const [pasting, setPasting] = useState(false);
  const written = useRef(null);

  const read = async (brought, { quietly = false } = {}) => {
    const { assumed, ...lines } = brought.text ? prepared(brought.text) : {};
    const body = { ...brought, ...lines };
    setFailed(null);
    try {
      const content = await post("convert", body);
      // a board, which has no position, is shown open
      const text = content.position ?? (await post("convert", { ...body, to: "mine" })).text;
      put(parsePosition(text));
      setPasting(false);
      if (assumed !== undefined) sayAssumed(assumed);
      else if (!quietly) say(`Read as ${content.from}`);
    } catch (error) {
      setFailed({ message: worded(error), text: brought.text ?? "" });
    }
  };
  useEffect(() => {
    // take the position from the address, unless this page has written it there
    const address = query.position ?? query.analysis;
    if (address === undefined && !now) put(fromQuery(EXAMPLE), { fresh: true });
    else if (address !== undefined && address !== written.current) {
      written.current = address;
      if (query.analysis !== undefined)
        read({ text: `?analysis=${query.analysis}`, from: "analysis" }, { quietly: true });
      else {
        try {
          put(checked(fromQuery(address)), { fresh: !now });
        } catch (error) {
          setFailed({ message: error.message, text: address.replaceAll("-", "\n") });
          if (!now) put(fromQuery(EXAMPLE), { fresh: true });
        }
      }
    }
  }, [query.position, query.analysis]);
  useEffect(() => {
    if (!now) return;
    const text = toQuery(now);
    if (written.current === null && text === EXAMPLE) return;
    if (
      text === written.current ||
      (route.value.query.analysis && written.current === route.value.query.analysis && !edited.canUndo)
    )
      return;
    written.current = text;
    go(href("/analyse", { position: text }), { replace: true });
  }, [now]);
  const dropping = useBrought(read);
  return html`${now
      ? html`<${Editor} edited=${edited} failed=${failed} setFailed=${setFailed} openPaste=${() => setPasting(true)}
          query=${query} />`
      : html`<main class="view view--page" id="main"><div class="lone"><${Waiting} text="Reading" /></div></main>`}
    ${dropping}
    ${pasting && html`<${PasteDialog} failed=${failed} read=${read} onClose=${() => setPasting(false)} />`}`;
}

const unclear = (error) => error.kind === "invalid-text" && /^the format of .* is not clear/.test(error.message);
const worded = (error) => (unclear(error) ? "Example: 3x1x1 ⏎ 1HH" : error.message);

function checked(position) {
  const { rows, cols, mines, symbols } = position;
  if (!(rows > 0 && cols > 0 && mines >= 0) || symbols.length !== rows * cols || /[^0-8HFQS*?M]/.test(symbols))
    throw new Error("The position in this address is incomplete.");
  return position;
}

function PasteDialog({ failed, read, onClose }) {
  const [text, setText] = useState(failed?.text ?? "");
  return html`<${Dialog} title="Paste a position" onClose=${onClose}>
    <label class="form__label" for="paste">
      Text of a position, a board or a game, an address with ?analysis= or ?b=&m=, a Mines id, RAWVF, a JSON line
    </label>
    <textarea id="paste" class="input" rows="12" spellcheck="false" value=${text}
      onInput=${(event) => setText(event.currentTarget.value)} placeholder=${"3x1x1\n1HH"}></textarea>
    ${failed && html`<p class="form__error" role="alert">This is not a position. ${failed.message}</p>`}
    <div class="form__controls">
      <label class="btn">
        Choose a file
        <input type="file" class="visually-hidden"
          onChange=${(event) => fileBody(event.currentTarget.files[0]).then(read)} />
      </label>
      <span class="form__note form__note--inline">or drop one anywhere on the page; Ctrl V works everywhere</span>
    </div>
    <div class="dialog__foot">
      <${Button} onClick=${onClose}>Cancel<//>
      <${Button} primary disabled=${!text.trim()} onClick=${() => read({ text })}>Read<//>
    </div>
  <//>`;
}

function useAnswer(text) {
  const [state, setState] = useState(/** @type {any} */ ({ analysis: null, busy: true, failed: null }));
  const stop = useRef();
  useEffect(() => {
    const abort = new AbortController();
    stop.current = abort;
    setState(({ analysis }) => ({ analysis, busy: true, failed: null, stale: true }));
    const fail = ({ name, message }) =>
      setState({ analysis: null, busy: false, failed: name === "AbortError" ? "Cancelled." : message });
    const timer = setTimeout(() => {
      const question = post("analyse", { position: text }, abort.signal);
      question.then((analysis) => setState({ analysis, busy: false, failed: null }), fail);
    }, 60); // ms: the next key press may change the position again
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return { ...state, cancel: () => stop.current.abort() };
}

function Editor({ edited, failed, setFailed, openPaste, query }) {
  const { now: position, put } = edited;
  const { rows, cols, mines, symbols } = position;
  const board = useRef();
  const [brush, setBrush] = useState("1");
  const [mode, setMode] = useState("ask");
  const byKey = useRef(true); // whether the selected cell was reached by key: then a key paints it
  const [selected, setSelected] = useState(null);
  const [tab, setTab] = useState("verdict");
  const [on, setOn] = useState(() => kept.get("analyse.overlays", { odds: true, certain: true, best: true }));
  const refused = useState(null); // {label, text}: the number that was refused
  const text = toText(position);
  const answer = useAnswer(text);
  useEffect(() => refused[1](null), [text]);
  const source = useMemo(() => ({
    hint: () => post("hint", { position: text }),
    why: (cell) => post("explain", { position: text, cell }),
    prove: (cell) => post("prove", { position: text, cell }),
  }), [text]);
  const coach = useMemo(() => new Coach(source, "why"), [source]);
  const answers = useStore(coach);
  const ask = (index) => {
    setSelected(index);
    setTab("why");
    if (isClosed(symbols[index])) coach.ask(nameOf(index, cols));
    else coach.forget();
  };
  const take = (symbol) => {
    setBrush(symbol);
    setMode("paint");
  };
  useEffect(() => {
    if (query.cell) {
      setTab("why");
      coach.ask(query.cell);
    }
  }, [query.cell]);

  const paint = (index, symbol) => {
    if (symbols[index] === symbol) return;
    put({ ...position, symbols: symbols.slice(0, index) + symbol + symbols.slice(index + 1) });
  };
  const current = useRef();
  current.current = { paint, symbols, brush, mode, ask };
  const handlers = {
    paint: (index, button, dragged) => {
      const now = current.current;
      byKey.current = false;
      setSelected(index);
      if (now.mode === "ask") {
        if (!dragged) now.ask(index);
      } else if (button === 2) now.paint(index, now.symbols[index] === "F" ? "H" : "F");
      else now.paint(index, now.brush);
    },
    tap: (index) => handlers.paint(index, 0),
    hold: (index) => current.current.ask(index),
    wheel: (index, by) => {
      const at = WHEEL.indexOf(current.current.symbols[index]);
      current.current.paint(index, WHEEL[(Math.max(0, at) - by + WHEEL.length) % WHEEL.length]);
    },
    select: (index) => {
      byKey.current = hands.onKeys;
      setSelected(index);
    },
    key: (event, index) => {
      const symbol = event.key === "?" ? "Q" : event.key.toUpperCase();
      if (event.key === "Enter" || event.key === " ") {
        if (mode === "ask") ask(index);
        else paint(index, brush);
      } else if (event.key === "y") ask(index);
      else if (symbol.length === 1 && BRUSHES.includes(symbol)) {
        take(symbol);
        if (byKey.current) paint(index, symbol);
      } else if (event.key === "Delete" || event.key === "Backspace") paint(index, "H");
      else return false;
      return true;
    },
  };
  const resize = (newCols, newRows, newMines = mines) => {
    if (!(newCols >= 1 && newRows >= 1 && newCols * newRows <= MOST)) return;
    let cells = "";
    for (let row = 0; row < newRows; row++)
      for (let col = 0; col < newCols; col++) cells += row < rows && col < cols ? symbols[row * cols + col] : "H";
    put({ cols: newCols, rows: newRows, mines: Math.min(newMines, newCols * newRows), symbols: cells });
  };
  useKeys({
    ...Object.fromEntries(
      [...BRUSHES].flatMap((symbol) => [[symbol, () => take(symbol)], [symbol.toLowerCase(), () => take(symbol)]]),
    ),
    ArrowLeft: () => coach.toStep(answers.step - 1), ArrowRight: () => coach.toStep(answers.step + 1), u: edited.undo,
    a: () => setMode("ask"), p: () => setMode("paint"),
    "+": () => zoomBy(board.current, 1.2), "-": () => zoomBy(board.current, 1 / 1.2),
  });
  useEffect(() => {
    const undo = (event) => {
      if (!event.ctrlKey || event.target.closest?.("input, textarea") || !["z", "y"].includes(event.key)) return;
      event.preventDefault();
      if (event.key === "y" || event.shiftKey) edited.redo();
      else edited.undo();
    };
    addEventListener("keydown", undo);
    return () => removeEventListener("keydown", undo);
  });

  const analysis = answer.stale ? null : answer.analysis;
  const conflict = analysis?.consistent === false;
  const show = useMemo(/** @returns {import("../looks.js").Shown} */ () => {
    const base = { rows, cols, symbols, label: "Position", edit: true };
    if (conflict) return { ...base, ...conflictMarks(analysis, position) };
    return { ...base, ...overlayOf(analysis, position, on), ...(tab === "why" ? coach.marks(cols) : {}) };
  }, [position, analysis, on, tab, answers]);
  useEffect(() => { // scroll to the cell that the panel speaks of
    const spoken = show.chosen ?? [...(show.conflict ?? [])][0];
    if (spoken !== undefined) board.current?.reveal(spoken);
  }, [show.chosen, show.conflict]);
  const link = async () => {
    let to = href("/analyse", { position: toQuery(position) });
    if (!/[SQ*?]/.test(symbols)) {
      const converted = await post("convert", { text, to: "analysis" }).catch(() => null);
      const written = converted?.text.trim() ?? "";
      const code = /analysis=([^&\s]+)/.exec(written)?.[1] ?? (/^\w+$/.test(written) ? written : null);
      if (code) to = href("/analyse", { analysis: code });
    }
    copy(location.origin + to, "Link to this position copied");
  };
  const field = (label, value, change, most) => html`<${NumberField} label=${label} value=${value} change=${change}
    least=${label === "Mines" ? 0 : 1} most=${most} refused=${refused} />`;
  return html`<div class="view view--analyse">
    <main class="stage" id="main">
      <h1 class="visually-hidden">Analyse a position</h1>
      <div class="stage__inner stage__inner--edit" style=${{ "--cols": cols, "--rows": rows }}>
        <div class="toolbar">
          ${field("Columns", cols, (value) => resize(value, rows), Math.floor(MOST / rows))}
          ${field("Rows", rows, (value) => resize(cols, value), Math.floor(MOST / cols))}
          ${field("Mines", mines, (value) => put({ ...position, mines: value }), rows * cols)}
          <span class="toolbar__gap" />
          <${Segmented} label="A click" value=${mode} onChange=${setMode}
            options=${[["ask", "Ask"], ["paint", "Paint"]]} />
          <${Button} icon="undo" label="Undo (Ctrl Z)" disabled=${!edited.canUndo} onClick=${edited.undo} />
          <${Button} icon="redo" label="Redo (Ctrl Y)" disabled=${!edited.canRedo} onClick=${edited.redo} />
          <${Button} icon="paste" onClick=${openPaste}>Paste<//>
        </div>
        <${Palette} brush=${mode === "paint" ? brush : null} setBrush=${take} />
        ${failed &&
        html`<div class="banner banner--wrong" role="alert">
          <${Icon} name="close" />
          <span class="banner__text"><strong>This is not a position.</strong> ${failed.message}</span>
          <${Button} onClick=${openPaste}>Edit the text<//><${Button} quiet onClick=${() => setFailed(null)}>Discard<//>
        </div>`}
        <${BoardBox} show=${show} on=${handlers} handle=${board} />
        <div class="toolbar">
          <span class="edges">
            ${edge(
              "Column",
              "right",
              () => resize(cols - 1, rows),
              () => resize(cols + 1, rows),
            )}
            ${edge(
              "Row",
              "below",
              () => resize(cols, rows - 1),
              () => resize(cols, rows + 1),
            )}
          </span>
          <span class="toolbar__gap" />
          ${[["odds", "Odds", "percent"], ["certain", "Certain", "sure"], ["best", "Best guess", "target"]].map(
            ([name, label, icon]) => html`<${Button} key=${name} icon=${icon} pressed=${on[name]}
              onClick=${() => {
                const next = { ...on, [name]: !on[name] };
                setOn(next);
                kept.set("analyse.overlays", next);
              }}>
              ${label}
            <//>`,
          )}
          <${Button} onClick=${() => put(blank(cols, rows, mines))}>Clear<//>
        </div>
        <${Legend} on=${on} analysis=${conflict ? null : analysis} busy=${answer.busy && !answer.analysis}
          cancel=${answer.cancel} show=${show} />
      </div>
    </main>
    <${Panel} label="Analysis" title="Analysis" about="What follows from the position"
      head=${html`<${Segmented} tabs label="What the analysis shows" value=${tab} onChange=${setTab}
        options=${[["verdict", "Verdict"], ["why", "Why"], ["text", "Text"]]} />`}
      foot=${html`<${Button} wide icon="copy" onClick=${() => copy(text, "Text copied")}>Copy text<//>
        <${Button} wide icon="link" onClick=${link}>Copy link<//>`}>
      <p class="visually-hidden" role="status">${conflict ? `No board fits. ${contradiction(analysis)}` : ""}</p>
      ${conflict &&
      tab !== "verdict" &&
      html`<${Conflict} analysis=${analysis} position=${position} put=${put}
        undo=${edited.canUndo ? edited.undo : null} />`}
      ${tab === "text"
        ? html`<${TextPanel} text=${text} analysis=${analysis} cols=${cols} put=${put} />`
        : tab === "why"
          ? html`${mode === "paint" &&
              selected !== null &&
              isClosed(symbols[selected]) &&
              html`<${Button} wide keyName="Y" onClick=${() => ask(selected)}>Why ${nameOf(selected, cols)}?<//>`}
              <${WhyPanel} coach=${answers} invite=${conflict ? "" : INVITE}
                act=${{
                  step: (step) => coach.toStep(step), cancel: () => coach.cancel(), prove: coach.prove,
                  mayGuess: () => coach.mayGuess(), showHint: () => setTab("verdict"),
                }}
                position=${position} selected=${selected} />`
          : answer.failed
            ? html`<${Verdict} sign="wrong" icon="cross" text="No answer" note="" />
                <p class="prose"><${Sentence} text=${answer.failed} /></p>`
            : !analysis
              ? html`<${Waiting} text="Counting" onCancel=${answer.cancel} />`
              : conflict
                ? html`<${Conflict} analysis=${analysis} position=${position} put=${put}
                    undo=${edited.canUndo ? edited.undo : null} />`
                : html`<${Follows} analysis=${analysis} mode=${mode}
                    ask=${(cell) => ask(cell[0] * cols + cell[1])} />`}
    <//>
  </div>`;
}

const INVITE = html`<${Verdict} sign="quiet" icon="target" text="Choose a closed cell"
    note="with Ask, a click; or Y on it" />
  <p class="prose">You see whether it is certain, which clues settle it, and each step.</p>`;

/** A field for columns, rows or mines. It refuses an impossible number, says so, and shows the old value again. */
function NumberField({ label, value, change, least, most, refused: [refused, setRefused] }) {
  const [draft, setDraft] = useState(null);
  const id = useId();
  const wrong = refused?.label === label && refused.text;
  const take = (text) => {
    const fits = /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
    setRefused(fits ? null : { label, text: `A whole number from ${least} to ${most}` });
    if (!fits) return;
    setDraft(null);
    if (Number(text) !== value) change(Number(text));
  };
  return html`<span class="field field--checked">
    <label class="field">
      ${label}
      <input class="field__input" type="number" min=${least} max=${most} value=${draft ?? value}
        aria-invalid=${String(Boolean(wrong))} aria-describedby=${wrong ? id : undefined}
        onInput=${(event) => {
          setDraft(event.currentTarget.value);
          setRefused(null);
        }}
        onChange=${(event) => take(event.currentTarget.value)}
        onBlur=${(event) => {
          setDraft(null);
          event.currentTarget.value = value;
        }} />
    </label>
    ${wrong && html`<span class="field__wrong" id=${id} role="alert">${wrong}</span>`}
  </span>`;
}

const edge = (name, where, less, more) => html`<span class="edge" role="group" aria-label=${`${name}s`}>
  <span class="edge__label">${name}</span>
  <button type="button" class="edge__btn" aria-label=${`One ${name.toLowerCase()} less`}
    title=${`One ${name.toLowerCase()} less, ${where}`} onClick=${less}>
    <${Icon} name="minus" />
  </button>
  <button type="button" class="edge__btn" aria-label=${`One ${name.toLowerCase()} more`}
    title=${`One ${name.toLowerCase()} more, ${where}`} onClick=${more}>
    <${Icon} name="plus" />
  </button>
</span>`;

function Palette({ brush, setBrush }) {
  const content = (symbol) =>
    symbol === "F"
      ? html`<${Glyph} name="flag" />`
      : symbol === "*"
        ? html`<${Glyph} name="mine" />`
        : symbol === "Q"
          ? "?"
          : symbol === "S"
            ? html`<${Glyph} name="tick" />`
            : /[1-8]/.test(symbol)
              ? symbol
              : "";
  const kind = (symbol) => (symbol === "S" ? "cell cell--safe" : "HFQ".includes(symbol) ? "cell cell--closed" : "cell");
  const choice = (symbol) => html`<button key=${symbol} type="button" class="brush" role="radio"
    aria-checked=${String(symbol === brush)} aria-label=${`Paint ${BRUSH_NAMES[symbol] ?? symbol}`}
    onClick=${() => setBrush(symbol)}>
    <span class=${kind(symbol)} data-n=${/[1-8]/.test(symbol) ? symbol : undefined}>${content(symbol)}</span>
    <kbd>${symbol}</kbd>
  </button>`;
  return html`<div class="palette" role="radiogroup" aria-label="Paint with">
    <span class="palette__set">${[...BRUSHES].slice(0, 5).map(choice)}</span>
    <span class="palette__set">${[...BRUSHES].slice(5).map(choice)}</span>
  </div>`;
}

function TextPanel({ text, put }) {
  const [draft, setDraft] = useState(text);
  const [failed, setFailed] = useState(null);
  useEffect(() => setDraft(text), [text]);
  const read = async () => {
    setFailed(null);
    try {
      const { assumed, ...lines } = prepared(draft);
      const converted = await post("convert", { ...lines, to: "mine" });
      put(parsePosition(converted.text));
      if (assumed !== undefined) sayAssumed(assumed);
    } catch (error) {
      setFailed(unclear(error) ? `This is not a position. ${worded(error)}` : error.message);
    }
  };
  return html`<label class="form__label" for="text">The position as text; change it and read it again</label>
    <textarea id="text" class="input" rows="14" spellcheck="false" value=${draft}
      onInput=${(event) => setDraft(event.currentTarget.value)}></textarea>
    ${failed && html`<p class="form__error" role="alert">${failed}</p>`}
    <${Button} wide disabled=${draft === text} onClick=${read}>Read the text<//>`;
}
