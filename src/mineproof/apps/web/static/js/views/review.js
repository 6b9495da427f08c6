// Review: step through a game, with a mark for each move and the chance over time.
import { html, useEffect, useMemo, useRef, useState } from "../lib.js";
import { fileBody, get, getText, post } from "../api.js";
import { BoardBox } from "../boardbox.js";
import { useBrought } from "../brought.js";
import { cleared, flagsAtEnd } from "../coach/end.js";
import { Rating } from "../coach/rating.js";
import { indexOf, nameOf, parsePosition, toText } from "../cells.js";
import { useKeys } from "../keyboard.js";
import { Panel } from "../panel.js";
import { overlayOf } from "../overlay.js";
import { go, href, note } from "../router.js";
import { settings } from "../settings.js";
import { kept, useStore } from "../store.js";
import { Button, Fold, Verdict, Waiting, say } from "../ui.js";
import { percentOf } from "../percent.js";
import { Sentence, clock, levelName } from "../words.js";
import { Chart } from "./chart.js";

export function ReviewView({ id, query }) {
  return id ? html`<${OneGame} id=${id} query=${query} />` : html`<${AllGames} />`;
}

const when = (time) => new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
const STATES = { playing: "under way", won: "won", lost: "lost", cleared: "cleared" };

/** Open a recorded game for review; it is kept until the next one. */
async function bring(body) {
  const content = await post("convert", body);
  if (content.kind !== "game") throw new Error(`This is a ${content.kind}, not a game: it has no moves.`);
  const { text } = await post("convert", { ...body, to: "game" });
  kept.set("imported", { text, from: content.from });
  go("/review/imported");
}

function AllGames() {
  const [games, setGames] = useState(null);
  const [failed, setFailed] = useState(null);
  const [wrong, setWrong] = useState(null);
  useEffect(() =>
    void get("games?limit=50").then(
      ({ games: list }) => setGames(list),
      (error) => setFailed(error.message),
    ), []);
  const take = (body) => bring(body).catch((error) => setWrong(error.message));
  const dropping = useBrought(take);
  return html`<main class="view view--page page" id="main" tabindex="-1">
    <div class="page__inner">
      <header>
        <h1 class="page__title">Review</h1>
        <p class="page__lead">
          Step through a game you have played, or one that was recorded with another program. Each move gets a mark:
          certain, a good guess, a needless one.
        </p>
      </header>
      <section class="card">
        <h2>A recorded game</h2>
        <p class="prose">.game, RAWVF, AVF, MVF, RMV or EVF: drop the file here, paste its text, or choose it.</p>
        ${wrong && html`<p class="form__error" role="alert">${wrong}</p>`}
        <div class="actions">
          <label class="btn">
            Choose a file
            <input type="file" class="visually-hidden"
              onChange=${async (event) => take(await fileBody(event.currentTarget.files[0]))} />
          </label>
        </div>
      </section>
      <section class="card">
        <h2>Your games</h2>
        ${failed
          ? html`<p class="prose">${failed}</p>`
          : !games
            ? html`<${Waiting} text="Fetching" />`
            : !games.length
              ? html`<${Verdict} sign="quiet" icon="target" text="No games yet" note="finished games appear here" />`
              : html`<div class="table-wrap">
                  <table class="table">
                    <thead>
                      <tr>
                        <th scope="col">Game</th><th scope="col">Result</th><th scope="col" class="num">Time</th>
                        <th scope="col" class="num table__wide">3BV</th><th scope="col" class="table__wide">Played</th>
                        <th scope="col"><span class="visually-hidden">Open</span></th>
                      </tr>
                    </thead>
                    <tbody>
                      ${games.map((game) => html`<tr key=${game.id}>
                        <td>
                          <strong>${levelName(game.level)}</strong> <span class="note">
                            ${game.daily ? `day ${game.daily}` : game.rules}${game.no_guess ? ", no guess" : ""}
                          </span>
                          <span class="note table__small table__date">${when(game.created)}</span>
                        </td>
                        <td>${STATES[game.state]}</td><td class="num">${clock(game.elapsed_ms)}</td>
                        <td class="num table__wide">${game["3bv"] ?? "–"}</td>
                        <td class="table__wide table__date">${when(game.created)}</td>
                        <td class="num">
                          ${game.state === "playing"
                            ? html`<a class="btn" href=${`/play/${game.id}`}>Play on</a>`
                            : html`<a class="btn" href=${`/review/${game.id}`}>Review</a>`}
                        </td>
                      </tr>`)}
                    </tbody>
                  </table>
                </div>`}
      </section>
      ${dropping}
    </div>
  </main>`;
}

/** The replay of a game, its review, and its positions as they are asked for. */
function useGame(id) {
  const [state, setState] = useState(/** @type {any} */ ({ busy: true }));
  useEffect(() => {
    const stop = new AbortController();
    (async () => {
      const body = await source(id, stop.signal);
      const [about, layout] = await Promise.all([
        post("convert", { text: body.text }, stop.signal),
        post("convert", { text: body.text, to: "id" }, stop.signal).then(
          ({ text }) => text,
          () => null,
        ), // a board without an open cell has no id
      ]);
      const lines = body.text.trim().split("\n");
      setState({
        busy: false, body, id: lines[1], about, layout,
        moves: lines
          .slice(2)
          .map((line) => line.split(" @")[0].trim())
          .filter(Boolean),
        reviewing: true, weighing: true,
      });
      const subject = id === "imported" ? { text: body.text } : { game: id };
      const judge = (more) =>
        post("review", { ...subject, ...more }, stop.signal).then((review) =>
          setState((before) => ({ ...before, review, reviewing: false })),
        );
      // the marks come at once, the winning chances when the guesses have been played out
      await judge({ playouts: 0 })
        .then(() => judge({}))
        .catch((error) => {
          if (error.name !== "AbortError")
            setState((before) => ({ ...before, reviewing: false, failedReview: error.message }));
        })
        .finally(() => setState((before) => ({ ...before, weighing: false })));
    })().catch((error) => error.name !== "AbortError" && setState({ busy: false, failed: error.message }));
    return () => stop.abort();
  }, [id]);
  return state;
}

async function source(id, signal) {
  if (id === "imported") {
    const body = kept.get("imported", null);
    if (!body) throw new Error("No game has been opened yet.");
    return body;
  }
  return { text: await getText(`games/${encodeURIComponent(id)}/replay`, signal) };
}

function usePosition(text, step) {
  const cache = useRef(new Map());
  const [position, setPosition] = useState(null);
  useEffect(() => {
    if (!text) return undefined;
    const cached = cache.current.get(step);
    if (cached) {
      setPosition(cached);
      return undefined;
    }
    const stop = new AbortController();
    post("convert", { text, to: "mine", step }, stop.signal).then(({ text: mine }) => {
      cache.current.set(step, parsePosition(mine));
      setPosition(cache.current.get(step));
    }, (error) => error.name !== "AbortError" && say(error.message, { wrong: true }));
    return () => stop.abort();
  }, [text, step]);
  return position;
}

const LONGEST_PAUSE = 5000; // ms
const EVEN_PAUSE = 700; // ms, of a game without times

/** Step through a game with the pauses that the player made. */
function usePlayback(times, step, total, to) {
  const [playing, setPlaying] = useState(false);
  const [pace, setPace] = useState(1);
  useEffect(() => {
    if (!playing) return undefined;
    if (step >= total) {
      setPlaying(false);
      return undefined;
    }
    const pause = times ? Math.min(LONGEST_PAUSE, times[step] - (times[step - 1] ?? times[step])) : EVEN_PAUSE;
    const timer = setTimeout(() => to(step + 1), pause / pace);
    return () => clearTimeout(timer);
  }, [playing, step, pace]);
  const toggle = () => {
    if (!playing && step >= total) to(0);
    setPlaying(!playing);
  };
  return { playing, toggle, pace, setPace };
}

/** Start a new game on the same board, make the first moves again, and go to it. */
async function playFrom(id, { layout, moves }, step) {
  const { id: made } = await post("games", id === "imported" ? { board: layout } : { again: id });
  for (const move of moves.slice(0, step)) await post(`games/${made}/moves`, { move });
  go(`/play/${made}`);
}

function OneGame({ id, query }) {
  const game = useGame(id);
  const total = game.moves?.length ?? 0;
  const step = Math.max(0, Math.min(total, Number(query.step ?? total)));
  const position = usePosition(game.body?.text, step);
  const board = useRef();
  const [on, setOn] = useState(false);
  const [analysis, setAnalysis] = useState(null);
  const marked = useMemo(() => game.review?.moves ?? null, [game.review]);
  const to = (next) => note({ step: Math.max(0, Math.min(total, next)) });
  useKeys({
    ArrowLeft: () => to(step - 1), ArrowRight: () => to(step + 1), Home: () => to(0), End: () => to(total),
    o: () => setOn(!on), g: () => nextGuess(), p: () => tape.toggle(),
  });
  const tape = usePlayback(game.about?.times_ms, step, total, to);
  const playOn = () =>
    playFrom(id, game, Math.min(step, total - 1)).catch(({ message }) => say(message, { wrong: true }));
  const nextGuess = () => {
    const at = marked?.findIndex((move, i) => i >= step + (marked[step] ? 1 : 0) && isGuess(move)) ?? -1;
    if (at >= 0) to(at);
    else say("No guess after this");
  };
  const text = position && toText(position);
  const lost =
    Boolean(position) &&
    (position.symbols.includes("?") || (position.symbols.includes("*") && !game.id.includes("continue")));
  const wanted = on || lost;
  useEffect(() => {
    setAnalysis(null);
    if (!wanted || !text) return undefined;
    const stop = new AbortController();
    // a finished board cannot be analysed, and shows no odds
    post("analyse", { position: text.replaceAll("?", "H") }, stop.signal).then(setAnalysis, () => undefined);
    return () => stop.abort();
  }, [wanted, text]);
  const { board: look } = useStore(settings);
  const next = marked?.[step];
  const show = useMemo(() => {
    if (!position) return null;
    const { rows, cols } = position;
    /** @type {import("../looks.js").Shown} */
    const base = {
      rows, cols, symbols: position.symbols, label: `Board before move ${step + 1}`, still: true,
      ...overlayOf(analysis, { rows, cols, symbols: position.symbols.replaceAll("?", "H") }, { odds: on, certain: on }),
    };
    const proved = lost ? (analysis?.mined ?? []) : [];
    if (lost || cleared(position))
      Object.assign(base, flagsAtEnd(position, { layout: game.layout }, proved, look === "csp"));
    const move = game.moves[step]?.split(" ");
    if (move?.[1]) {
      const index = indexOf(move[1], rows, cols);
      base.chosen = index;
      const better = next?.better; // the callout must not hide it
      const apart = better && better[0] === Math.floor(index / cols) ? Math.abs(better[1] - (index % cols)) : 0;
      if (next && isGuess(next) && next.risk !== null && !(apart > 0 && apart < 8))
        base.callouts = new Map().set(index, {
          text: `Move ${step + 1} opens ${nameOf(index, cols)}: ${percentOf(next.risk, 0)}`,
          side: index % cols > cols / 2 ? "left" : "right",
        });
    }
    if (next?.better) base.best = next.better[0] * cols + next.better[1];
    if (step === total)
      base.hit = new Set([...position.symbols].flatMap((symbol, index) => (symbol === "*" ? [index] : [])));
    return base;
  }, [position, analysis, on, next, step, look]);

  useEffect(() => {
    if (show?.chosen !== undefined) board.current?.reveal(show.chosen);
  }, [show?.chosen]);

  if (game.failed)
    return html`<main class="view view--page" id="main">
      <div class="lone">
        <div class="card">
          <${Verdict} sign="quiet" icon="target" text="No game to review" note="" /><p class="prose">${game.failed}</p>
          <div class="actions"><${Button} primary onClick=${() => go("/review")}>All games<//></div>
        </div>
      </div>
    </main>`;
  if (game.busy || !show)
    return html`<main class="view view--page" id="main">
      <div class="lone"><${Waiting} text="Fetching the game" /></div>
    </main>`;
  return html`<div class="view view--review">
    <main class="stage" id="main">
      <h1 class="visually-hidden">Review of a game</h1>
      <div class="stage__inner stage__inner--review" style=${{ "--cols": position.cols, "--rows": position.rows }}>
        <div class="toolbar">
          <strong class="ref" title=${game.id}>${levelName(game.id.split(/[/#=]/)[0])}</strong>
          ${game.body.from !== "game" &&
          html`<span class="chip chip--long" title=${game.id}>
            ${game.body.from ? `from ${game.body.from}` : short(game.id)}
          </span>`}
          <span class="toolbar__gap" />
          <${Button} icon="first" label="To the start" disabled=${step === 0} onClick=${() => to(0)} />
          <${Button} icon="left" label="Move before" title="Move before (←)" disabled=${step === 0}
            onClick=${() => to(step - 1)} />
          <span class="pager__text" aria-live="polite">
            ${step ? "After" : "Before"} move <b>${step || 1}</b> of ${total}
          </span>
          <${Button} icon="right" label="Next move" title="Next move (→)" disabled=${step === total}
            onClick=${() => to(step + 1)} />
          <${Button} icon="last" label="To the end" disabled=${step === total} onClick=${() => to(total)} />
          <span class="toolbar__gap" />
          <${Button} icon="percent" keyName="O" pressed=${on} onClick=${() => setOn(!on)}>Odds<//>
          <${Button} icon="target" keyName="G" disabled=${!marked} onClick=${nextGuess}>Next guess<//>
        </div>
        <${BoardBox} show=${show} on=${{}} handle=${board} />
        <${Chart} moves=${marked} summary=${game.review?.summary} total=${total} step=${step} to=${to}
          busy=${game.reviewing} />
      </div>
    </main>
    <${Panel} label="Review" title="Review" about="Moves of the game"
      head=${html`<span class="tape">
          <${Button} icon=${tape.playing ? "pause" : "run"} label=${tape.playing ? "Stop" : "Play back"}
            title=${game.about?.times_ms ? "Play back as it was played (P)" : "Play back (P)"} onClick=${tape.toggle} />
          <select class="input select" aria-label="Pace" value=${String(tape.pace)}
            onChange=${(event) => tape.setPace(Number(event.currentTarget.value))}>
            ${[1, 2, 4, 8].map((pace) => html`<option key=${pace} value=${String(pace)}>${pace}×</option>`)}
          </select>
        </span>
        <a class="btn btn--quiet" href="/review">All games</a>`}
      foot=${html`${game.layout &&
        (step < total || lost) &&
        html`<${Button} wide icon="undo" onClick=${playOn}>
          ${step === total || (next && isGuess(next)) ? "Retry this move" : "Play on from here"}
        <//>`}
        ${id !== "imported" &&
        html`<a class="btn btn--wide" href=${`/api/games/${id}/replay`} download>Save the game</a>`}
        <a class="btn btn--wide" href=${href("/analyse", { position: text.trim().replaceAll("\n", "-") })}>
          Analyse this position
        </a>`}>
      ${game.failedReview && html`<p class="prose">${game.failedReview}</p>`}
      ${game.reviewing
        ? html`<${Waiting} text="Judging the moves" />`
        : game.weighing && html`<${Waiting} text="Playing out the guesses" />`}
      <${Moves} moves=${game.moves} marked=${marked} step=${step} to=${to} />
      ${game.review?.summary &&
      html`<${Fold} title="Summary" end="skill and luck"><${Summary} summary=${game.review.summary} /><//>`}
      <${Rating} of=${id === "imported" ? { board: game.body.text } : { game: id }} />
    <//>
  </div>`;
}

const short = (text) => (text.length > 28 ? `${text.slice(0, 26)}…` : text);

/** How a guess is drawn: good, unlucky, unclear, needless, poor or mistake; null for other moves. */
export function kindOf(move) {
  if (!move) return null;
  if (move.mark === "mistake") return "mistake";
  const [kind, guess] = (move.mark ?? "").split(" ");
  if (guess !== "guess") return null;
  return kind === "good" && move.fell === "unlucky" ? "unlucky" : kind;
}

const isGuess = (move) => kindOf(move) !== null;

const IN_CHART = /^(Try \d+\. )?Winning chance before/; // lines of the summary that the chart shows

function Summary({ summary }) {
  const { cost, luck, text = "" } = summary;
  const points = (value, error) => {
    const digits = error ? 0 : 1;
    const rounded = (100 * value).toFixed(digits);
    return html`${Number(rounded) > 0 ? "+" : Number(rounded) < 0 ? "−" : ""}${rounded.replace("-", "")}
      <small>${error ? ` ± ${(100 * error).toFixed(0)}` : ""} points</small>`;
  };
  return html`<div class="fold__pad">
    ${cost &&
    luck &&
    html`<div class="balance">
      <div class="balance__item">
        <span class="balance__value">${points(-cost.value, cost.error)}</span>
        <span class="balance__label">skill: what guesses cost</span>
      </div>
      <div class="balance__item">
        <span class="balance__value">${points(luck.value, luck.error)}</span>
        <span class="balance__label">luck: how they fell</span>
      </div>
    </div>
    <p class="note">
      Points are per cent of winning chance: 100 points are the whole way from a lost game to a won one.
    </p>`}
    ${text
      .split("\n")
      .filter((line) => !IN_CHART.test(line))
      .map((line) => html`<p class="prose" key=${line}><${Sentence} text=${line} /></p>`)}
  </div>`;
}

/** Gather successive certain moves in one row, so that guesses stand out. */
function fold(moves, marked) {
  const rows = [];
  moves.forEach((move, i) => {
    const judged = marked?.[i];
    const kind = kindOf(judged);
    const group = kind ?? judged?.mark ?? "move";
    const last = rows.at(-1);
    if (!kind && last?.group === group) {
      last.to = i;
      last.levels.push(judged?.level);
    } else rows.push({ from: i, to: i, group, kind, judged, move, levels: [judged?.level] });
  });
  return rows;
}

const GROUPS = {
  certain: "certain move", "unproved flag": "unproved flag", note: "note", undo: "undo", start: "first click",
  move: "move",
};

function Moves({ moves, marked, step, to }) {
  const rows = useMemo(() => fold(moves, marked), [moves, marked]);
  const list = useRef();
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [step, rows]);
  return html`<section class="section">
    <h3 class="section__title"><span>Moves</span><span>${marked ? "risk" : ""}</span></h3>
    <ol class="moves" ref=${list}>
      ${rows.map((row) => {
        const { judged, kind, from, to: last } = row;
        const current = step >= from && step <= last;
        const span = from === last ? from + 1 : `${from + 1}–${last + 1}`;
        const levels = row.levels.filter(Boolean);
        const range = levels.length
          ? Math.min(...levels) === Math.max(...levels)
            ? `level ${levels[0]}`
            : `levels ${Math.min(...levels)}–${Math.max(...levels)}`
          : "";
        const group = GROUPS[row.group] ?? row.group;
        const single = ["certain", "move"].includes(row.group) ? row.move : `${row.move}: ${group}`;
        const text = from === last ? single : `${last - from + 1} ${group}s`;
        return html`<li key=${from}>
          <button type="button" class=${`move ${kind ? "" : "move--fold"}`} aria-current=${current ? "step" : undefined}
            onClick=${() => to(from)}>
            <span class="move__no">${span}</span>
            <svg class=${`mark mark--${kind ?? "certain"}`} aria-hidden="true">
              ${(kind || row.group === "certain") &&
              html`<use href=${`#m-${kind === "mistake" ? "poor" : (kind ?? "certain")}`} />`}
            </svg>
            ${kind
              ? html`<span class="move__cell" data-cell=${row.move.split(" ")[1]}>${row.move.split(" ")[1]}</span>
                  <span class=${`move__mark--${kind}`}>${judged.mark}${kind === "unlucky" ? ", unlucky" : ""}</span>
                  <span class="move__swing">
                    ${judged.risk === null || judged.risk === undefined ? "" : percentOf(judged.risk, 0)}
                  </span>`
              : html`<span class="move__what">${text}</span><span class="move__swing">${range}</span>`}
            ${current && kind && judged.text &&
            html`<span class="move__why"><${Sentence} quiet text=${judged.text} /></span>`}
          </button>
        </li>`;
      })}
    </ol>
  </section>`;
}
