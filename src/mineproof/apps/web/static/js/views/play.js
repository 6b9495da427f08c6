// Play: the board, the bars around it, and the coach.
import { html, useCallback, useEffect, useMemo, useRef, useState } from "../lib.js";
import { getOnce, post } from "../api.js";
import { BoardBox, zoomBy } from "../boardbox.js";
import { isClosed, isNumber, nameAt, nameOf, neighbours, toText } from "../cells.js";
import { AgentPanel, agents } from "../coach/agent.js";
import { Coach } from "../coach/coach.js";
import { EndPanel, StartPanel, flagsAtEnd, useLastOdds } from "../coach/end.js";
import { HintPanel } from "../coach/hint.js";
import { systemOf } from "../coach/knowledge.js";
import { WhyPanel } from "../coach/why.js";
import { hands, useKeys } from "../keyboard.js";
import { WATCHING, WatchPanel, shareItems, useTaken } from "../visitor.js";
import { Panel } from "../panel.js";
import { overlayOf } from "../overlay.js";
import { go, href, note, route } from "../router.js";
import { Session, marked } from "../session.js";
import { settings } from "../settings.js";
import { kept, useStore } from "../store.js";
import { tick } from "../sound.js";
import { Button, Icon, Segmented, Verdict, Waiting, complain as tell, copy, hush } from "../ui.js";
import { listed, settles } from "../words.js";
import { Legend, Status, Tabbar, Toolbar } from "./bars.js";
import { start, startOrSay, table } from "./newgame.js";

const DWELL = 350; // ms that the mouse rests on a cell before the reason is requested
const complain = (error) => error.kind !== "cancelled" && tell(error);

/** @typedef {import("../looks.js").Shown} Shown */

/** The address /play: opens the game that it asks for, or the last game, or a new one. */
export function StartView({ query }) {
  const [failed, setFailed] = useState(null);
  const begin = () => {
    setFailed(null);
    const body = bodyOf(query);
    if (query.as)
      getOnce("agents").then(
        ({ systems }) => agents.set({ chosen: systemOf(systems, query.as)?.agent ?? agents.value.chosen }),
        () => undefined,
      );
    const last = kept.get("game", null);
    const resume =
      Object.keys(body).length || !last
        ? Promise.resolve(null)
        : fetch(`/api/games/${encodeURIComponent(last)}`).then(
            (answer) => (answer.ok ? answer.json() : null),
            () => null,
          );
    resume
      .then((game) =>
        game?.yours && game.state === "playing"
          ? go(`/play/${game.id}`, { replace: true })
          : start(body, { replace: true }),
      )
      .catch(setFailed);
  };
  useEffect(begin, [JSON.stringify(query)]);
  return html`<main class="view view--page" id="main">
    <div class="lone">
      ${failed
        ? html`<div class="card">
            <${Verdict} sign=${failed.kind === "offline" ? "quiet" : "wrong"}
              icon=${failed.kind === "offline" ? "half" : "cross"}
              text=${failed.kind === "offline" ? "No answer from the server" : "No game"} note="" />
            <p class="prose">${failed.message}</p>
            <div class="actions">
              <${Button} primary onClick=${begin}>Try again<//>
              <${Button} onClick=${() => startOrSay({}, { replace: true })}>New game<//>
            </div>
          </div>`
        : html`<${Waiting} text="Laying the mines" />`}
    </div>
  </main>`;
}

function bodyOf({ board, daily, level, rules, seed, as, preset = as }) {
  if (board) return { share: board };
  if (daily) return { daily, ...(level ? { level } : {}) };
  const body = { level, rules, preset, seed: seed === undefined ? undefined : Number(seed) };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

export function PlayView({ id, query }) {
  const session = useMemo(() => new Session(id), [id]);
  useEffect(() => () => session.close(), [session]);
  useTaken(id, query.take);
  const state = useStore(session);
  if (state.link === "gone") {
    return html`<main class="view view--page" id="main">
      <div class="lone">
        <div class="card">
          <${Verdict} sign="quiet" icon="target" text="There is no such game" note="" />
          <p class="prose">It was deleted, or its address was mistyped.</p>
          <div class="actions"><${Button} primary onClick=${() => startOrSay({})}>New game<//></div>
        </div>
      </div>
    </main>`;
  }
  if (!state.game) {
    return html`<main class="view view--page" id="main">
      <div class="lone">
        ${state.link === "lost"
          ? html`<div class="card">
              <${Verdict} sign="quiet" icon="half" text="No answer from the server" note="trying again" />
              <div class="actions"><${Button} primary onClick=${() => session.retry()}>Try now<//></div>
            </div>`
          : html`<${Waiting} text="Fetching the game" />`}
      </div>
    </main>`;
  }
  return html`<${Table} key=${id} session=${session} state=${state} query=${query} />`;
}

function Table({ session, state, query }) {
  const { game, link, pending } = state;
  const position = useMemo(() => marked(state.position, pending), [state.position, pending]);
  const { rows, cols } = position;
  const preferences = useStore(settings);
  const board = useRef();
  const source = useMemo(() => ({
    hint: () => partOf(session.ask("hint"), "hint"),
    why: (cell) => partOf(session.ask("why", { cell }), "why"),
    prove: (cell) => session.ask("prove", { cell }).then(({ proof }) => proof),
    cancel: (part) => session.cancel(part.of),
  }), [session]);
  const coach = useMemo(() => new Coach(source), [source]);
  const answers = useStore(coach);
  const [on, setOn] = useState(() => kept.get("overlays", { odds: false, certain: false, best: false }));
  const [mode, setMode] = useState("open"); // what a tap does: open | flag | why
  const [selected, setSelected] = useState(null);
  const [sheet, setSheet] = useState(false);
  const answer = useAnalysis(session, game, game.yours && !game.unlaid && (on.odds || on.certain || on.best));
  const odds = useLastOdds(state);
  const over = game.state !== "playing";
  const wasOver = useRef(over);
  const { yours } = game; // others may only look
  const begun = /[0-8*]/.test(position.symbols);
  const coarse = matchMedia("(pointer: coarse)").matches;
  const tip = coarse && yours && !begun && !over && !kept.get("tipped", false);
  useEffect(() => {
    if (begun) kept.set("tipped", true);
  }, [begun]);

  table.game = game;
  useEffect(() => {
    if (yours) kept.set("game", game.id);
    hush((toast) => toast.link?.to === `/play/${game.id}`);
    if (hands.onKeys && table.started === game.id && document.activeElement === document.body)
      board.current.focusOn(board.current.focus);
    table.started = null;
    return () => {
      hush();
      if (table.game?.id === game.id) table.game = null;
    };
  }, [game.id, yours]);
  useEffect(() => { // the position has changed: a hint that is still awaited is requested anew
    const { busy, hint, tab } = coach.value;
    coach.forget();
    if (tab !== "agent") setSheet(false);
    if (busy && !hint && tab === "hint") act.hint();
  }, [game.seq]);
  useEffect(() => {
    if (!over) return;
    setSheet(true);
    hush();
  }, [over]);
  useEffect(() => {
    if (query.why && yours && !over) coach.ask(query.why).catch(complain);
  }, []);
  useEffect(() => {
    if (answers.tab === "why" && answers.why) note({ why: nameAt(answers.why.cell) });
    else if (route.value.query.why) note({ why: undefined });
  }, [answers.tab, answers.why]);
  useEffect(() => {
    if (["hint", "why"].includes(answers.tab) && (answers.hint || answers.why || answers.busy)) setSheet(true);
  }, [answers.tab, answers.hint, answers.why, answers.busy]);

  const play = useCallback(/** @type {(kind: string, index?: any) => Promise<void>} */ (async (kind, index) => {
    const { game: now, pending: before } = session.value;
    const { symbols } = session.seen;
    if (!now.yours) return;
    if (now.state !== "playing" && kind !== "undo") return;
    if (kind !== "undo" && before.findLast((move) => move.index === index)?.kind === kind) return; // it is on its way
    if (kind === "open" && !isClosed(symbols[index])) {
      if (settings.value.oneClickChord && isNumber(symbols[index]) && symbols[index] !== "0")
        return play("chord", index);
      return;
    }
    if (kind === "open" && symbols[index] === "F" && !now.rules.includes("open-flags")) return; // flags protect
    try {
      await session.move(kind, index);
      tick(kind);
    } catch (error) {
      if (error.outdated) return; // another page has moved, and the board shows it now
      const refused = error.kind === "illegal-move";
      if (error.kind === "kept" || (refused && kind === "chord")) board.current?.shake();
      else if (!refused || isClosed(session.value.position.symbols[index] ?? "H")) complain(error);
    }
  }), [session]);
  const flag = (index) => {
    const symbol = session.seen.symbols[index];
    if (symbol === "F") return play(game.rules.includes("questions") ? "question" : "unflag", index);
    if (symbol === "Q") return play("unflag", index);
    return isClosed(symbol) ? play("flag", index) : undefined;
  };
  const chord = (index) => {
    const symbol = session.value.position.symbols[index];
    return isNumber(symbol) && symbol !== "0" ? play("chord", index) : undefined;
  };
  const at = ([row, col]) => row * cols + col;
  const askWhy = (index) =>
    yours && !over && isClosed(session.value.position.symbols[index]) && coach.ask(nameOf(index, cols)).catch(complain);
  const dwell = useRef();
  const act = {
    hint: () => coach.more().catch(complain),
    rung: (rung) => coach.toRung(rung).catch(complain),
    step: (step) => coach.toStep(step),
    cancel: () => coach.cancel(),
    prove: coach.prove,
    open: async (cell) => {
      if (session.value.position.symbols[at(cell)] === "F") await play("unflag", at(cell));
      await play("open", at(cell));
    },
    flag: (cell) => session.seen.symbols[at(cell)] !== "F" && flag(at(cell)),
    odds: () => toggle("odds"),
    mayGuess: () => coach.mayGuess().catch(complain),
    showHint: () => coach.set({ tab: "hint", rung: 2 }),
    undo: () => play("undo"),
    again: () => startOrSay({ again: game.id }),
    fresh: () => startOrSay({}),
    review: () => go(`/review/${game.id}`),
    pause: (yes) => session.pause(yes).catch(complain),
    share: async () => {
      try {
        const { path } = await post(`games/${game.id}/share`);
        await copy(location.origin + path, "Link to this board copied");
      } catch (error) {
        complain(error);
      }
    },
    sharing: shareItems(session),
    analyse: () => go(href("/analyse", { position: toText(position).trim().replaceAll("\n", "-") })),
    zoom: (factor) => zoomBy(board.current, factor),
    next: (by) => board.current.focusOn(nextUnknown(session.value.position, board.current.focus, by)),
    agent: () => {
      coach.show("agent");
      session.handOver(agents.value.chosen, "step").catch(complain);
    },
  };
  const toggle = (name) => setOn((now) => { // two keys may be pressed before the next drawing
    const next = { ...now, [name]: !now[name] };
    kept.set("overlays", next);
    return next;
  });
  const handlers = {
    open: (index) => {
      if (mode === "open" || isNumber(session.seen.symbols[index])) return play("open", index);
      return mode === "flag" ? flag(index) : askWhy(index);
    },
    flag,
    chord,
    tap: (index) => (isNumber(session.seen.symbols[index]) ? chord : handlers.open)(index),
    hold: (index) => {
      navigator.vibrate?.(15);
      return mode === "flag" ? play("open", index) : flag(index);
    },
    hover: (index) => {
      clearTimeout(dwell.current);
      if (index !== null && coach.value.tab === "why") dwell.current = setTimeout(() => askWhy(index), DWELL);
    },
    select: setSelected,
    key: (event, index) => {
      const symbol = session.value.position.symbols[index];
      const enter = event.key === "Enter" || event.key === " ";
      if (event.key === "c" || (enter && isNumber(symbol))) chord(index);
      else if (enter) play("open", index);
      else if (event.key === "f") flag(index);
      else if (event.key === "y") askWhy(index);
      else return false;
      return true;
    },
  };
  const playing = {
    u: act.undo,
    w: act.hint,
    a: act.agent,
    r: act.again,
    o: () => toggle("odds"),
    s: () => toggle("certain"),
    b: () => toggle("best"),
    m: () => setMode(mode === "flag" ? "open" : "flag"),
    p: () => !over && act.pause(!game.paused),
  };
  useKeys({
    n: act.fresh,
    ...(yours ? playing : {}),
    ".": () => act.next(1),
    ",": () => act.next(-1),
    "+": () => act.zoom(1.2),
    "-": () => act.zoom(1 / 1.2),
    "0": () => act.zoom(null),
    "ArrowLeft": () => coach.toStep(answers.step - 1),
    "ArrowRight": () => coach.toStep(answers.step + 1),
    "Escape": () => (session.value.agent ? session.ask("stop") : coach.forget()),
  });

  const show = useMemo(/** @returns {Shown} */ () => {
    const { symbols } = position;
    const base = { rows, cols, symbols, label: `${game.level} board`, ripple: state.ripple, still: over };
    if (over) {
      const end = endMarks(state, odds, on, preferences.board === "csp");
      if (game.state === "lost") return { ...base, ...end };
      return { ...base, ...end, symbols: symbols.replace(/[HQS?]/g, "F"), party: !wasOver.current };
    }
    const doing = new Set(pending.flatMap(({ kind, index }) => {
      if (kind === "chord") return neighbours(index, rows, cols).filter((other) => symbols[other] === "H");
      return kind === "open" || link === "lost" ? [index] : [];
    }));
    return {
      ...base, dim: preferences.dim, [link === "lost" ? "kept" : "pressed"]: doing,
      ...overlayOf(answer.analysis, position, on), ...coach.marks(cols),
    };
  }, [position, over, odds, on, answer.analysis, answers, state.ripple, preferences, link]);
  useEffect(() => { // scroll to the cells that the coach speaks of
    const first = [...(show.marks?.keys() ?? [])][0] ?? (begun ? -1 : position.symbols.indexOf("S"));
    const about = show.chosen ?? show.best ?? first;
    if (about >= 0) board.current?.reveal(about);
  }, [show.chosen, show.best, show.marks, sheet]);

  return html`<div class="view view--play">
    <main class="stage" id="main">
      <h1 class="visually-hidden">Play Minesweeper</h1>
      <div class="stage__inner" style=${{ "--cols": cols, "--rows": rows }}>
        <${Status} session=${session} game=${game} act=${act} over=${over}
          left=${minesLeft(state, position)} />
        <${BoardBox} show=${show} on=${handlers} handle=${board}>
          ${game.paused &&
          !over &&
          html`<div class="cover">
            <${Icon} name="pause" className="cover__icon" /><strong>Paused</strong>
            <p class="note">The board is hidden, and the clock is stopped.</p>
            ${yours && html`<${Button} primary keyName="P" onClick=${() => act.pause(false)}>Continue<//>`}
          </div>`}
        <//>
        ${yours &&
        html`<${Toolbar} act=${act} on=${on} toggle=${toggle} mode=${mode} setMode=${setMode} over=${over} game=${game}
          busy=${answer.busy} />`}
        ${link === "lost"
          ? html`<${Offline} session=${session} pending=${pending} />`
          : tip
            ? html`<p class="legend legend--tip">A tap opens. A long press sets a flag.</p>`
            : html`<${Legend} on=${over ? { ...on, odds: on.odds && odds } : on}
                analysis=${over ? odds?.analysis : answer.analysis} busy=${answer.busy} failed=${answer.failed}
                cancel=${answer.cancel} show=${show} over=${over} unlaid=${game.unlaid} />`}
      </div>
    </main>
    <${Panel} label="Coach" about="What the coach says"
      title=${over ? "Game over" : yours ? "Coach" : "Watching"} sheet=${[sheet, setSheet]}
      content=${[over, answers.tab, answers.rung, answers.why?.cell, Boolean(answers.busy)].join()}
      head=${over
        ? html`<span class="group">
            ${game.over?.game_id &&
            html`<${Button} icon="copy" quiet label="Copy the code of this board" title=${game.over.game_id}
              onClick=${() => copy(game.over.game_id, "Code of the board copied")} />`}
            <${Button} icon="link" quiet onClick=${act.share}>Share<//>
          </span>`
        : yours && html`<${Segmented} tabs label="What the coach shows" value=${answers.tab}
            onChange=${(tab) => {
              coach.show(tab);
              setSheet(true);
            }}
            options=${[["hint", "Hint"], ["why", "Why"], ["agent", "Agent"]]} />`}>
      ${over
        ? html`<${EndPanel} state=${state} odds=${odds} act=${act} />`
        : !yours
          ? html`<${WatchPanel} game=${game} act=${act} />`
          : answers.tab === "agent"
          ? html`<${AgentPanel} session=${session} state=${state} />`
          : answers.tab === "why"
            ? html`<${WhyPanel} coach=${answers} act=${act} position=${position} selected=${selected} />`
            : begun || answers.hint || answers.busy
              ? html`<${HintPanel} coach=${answers} act=${act} />`
              : html`<${StartPanel} game=${game} position=${position} />`}
    <//>
    ${yours
      ? html`<${Tabbar} act=${act} on=${on} toggle=${toggle} mode=${mode} setMode=${setMode} over=${over}
          game=${game} />`
      : html`<div class="tabbar"><span class="tabbar__item">${WATCHING}</span></div>`}
    <p class="visually-hidden" role="status" aria-live="polite">${announce(state) || spoken(answers)}</p>
  </div>`;
}

/** Promise one part of an answer. The promise knows its question, which can be cancelled. */
function partOf(question, name) {
  return Object.assign(question.then((answer) => answer[name]), { of: question });
}

const NO_ANALYSIS = { analysis: null, busy: false, failed: null };

/** The analysis of the current position, while it is shown. */
function useAnalysis(session, game, wanted) {
  const [state, setState] = useState(/** @type {any} */ (NO_ANALYSIS));
  const question = useRef();
  useEffect(() => {
    if (!wanted || game.state !== "playing" || game.paused) {
      setState(NO_ANALYSIS);
      return undefined;
    }
    let current = true;
    setState({ ...NO_ANALYSIS, busy: true });
    question.current = session.ask("analyse");
    question.current.then(
      ({ seq, analysis }) => current && seq === session.value.game.seq && setState({ ...NO_ANALYSIS, analysis }),
      (error) => current && setState({ ...NO_ANALYSIS, failed: error.message }),
    );
    return () => {
      current = false;
      session.cancel(question.current);
    };
  }, [wanted, game.id, game.seq, game.state, game.paused]);
  return { ...state, cancel: () => session.cancel(question.current) };
}

/** The marks of a finished game: the opened mine, wrong flags, identified mines, and the odds before the last click. */
function endMarks(state, odds, on, csp) {
  const { game, position } = state;
  const { cols, symbols } = position;
  const hit = new Set(
    [...symbols].flatMap((symbol, index) => (symbol === "*" && game.state === "lost" ? [index] : [])),
  );
  /** @type {Partial<Shown>} */
  const marks = { hit, ...flagsAtEnd(position, game.over, odds?.analysis.mined ?? [], csp) };
  if (game.state !== "lost" || !odds) return marks;
  const { analysis, hint } = odds;
  const callouts = new Map();
  const [first] = hit;
  const side = (index) => (index % cols > cols / 2 ? "left" : "right");
  const risk = analysis.odds?.flat()[first];
  if (first !== undefined && risk !== null && risk !== undefined)
    callouts.set(first, { text: `You opened ${nameOf(first, cols)}: ${Math.round(100 * risk)} %`, side: side(first) });
  if ((on.odds || on.certain) && analysis.odds) {
    Object.assign(marks, overlayOf(analysis, { ...position, symbols: odds.before }, { ...on, best: false }));
  }
  if (!hint.certain && hint.cell) {
    const best = hint.cell[0] * cols + hint.cell[1];
    if (best !== first) {
      marks.best = best;
      const below = Math.abs(Math.floor(best / cols) - Math.floor(first / cols));
      const beside = Math.abs((best % cols) - (first % cols));
      const text = `Best was ${nameOf(best, cols)}: ${Math.round(100 * hint.risk)} %`;
      if (below > 1 || beside > 9) callouts.set(best, { text, side: side(best) }); // nearer, the two would overlap
    }
  }
  if (hint.certain) marks.chosen = hint.cell[0] * cols + hint.cell[1];
  return { ...marks, callouts };
}

function nextUnknown({ rows, cols, symbols }, from, by) {
  const open = (index) => isNumber(symbols[index]);
  const frontier = (index) => "HSQ".includes(symbols[index]) && neighbours(index, rows, cols).some(open);
  const size = rows * cols;
  for (let step = 1; step <= size; step++) {
    const index = (from + by * step + size * step) % size;
    if (frontier(index)) return index;
  }
  return from;
}

function announce({ game, link }) {
  if (link === "lost") return "The connection is lost.";
  if (game.state === "won") return "You have won.";
  if (game.state === "lost") return "A mine. The game is lost.";
  if (game.state === "cleared") return "All safe cells are open.";
  return "";
}

/** What the coach says, for screen readers: the part that has just been added. */
function spoken({ tab, hint, rung, why, step }) {
  if ((tab === "why" || rung === 5) && why) {
    const { verdict, cells, text, ...more } = why.steps[step] ?? why;
    if (!cells) return text;
    return `Step ${step + 1} of ${why.steps.length}: ${settles({ verdict, cells, ...more })}. ${text}`;
  }
  if (tab !== "hint" || !hint) return "";
  const { certain, portions = [hint.text] } = hint;
  return certain ? (portions[Math.min(rung, 4) - 1] ?? hint.text) : portions.join(" ");
}

/** The number on the counter: at a win every mine has its flag. */
function minesLeft({ game, position }, seen) {
  const flags = ({ symbols }) => symbols.split("F").length;
  return ["won", "cleared"].includes(game.state) ? 0 : game.mines_left + flags(position) - flags(seen);
}

function Offline({ session, pending }) {
  const moves = listed(pending.map(({ text }) => text));
  return html`<div class="banner" role="alert">
    <${Icon} name="half" />
    <span class="banner__text">
      <strong>No answer from the server.</strong>${" "}
      ${pending.length > 1
        ? `Your moves, ${moves}, are kept and will be played once.`
        : moves
          ? `Your move, ${moves}, is kept and will be played once.`
          : "Your next move will be kept, and played once."}
      ${" "}Trying again.
    </span>
    <${Button} onClick=${() => session.retry()}>Try now<//>
  </div>`;
}
