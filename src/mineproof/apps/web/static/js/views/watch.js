// Watch: one agent, or two on the same board, each with its reasons and its knowledge.
import { html, useEffect, useMemo, useRef, useState } from "../lib.js";
import { post } from "../api.js";
import { BoardBox } from "../boardbox.js";
import { indexOf } from "../cells.js";
import { AgentSelect, KnowledgeFold, Reasons, Speed, agents, stopText, useAgents } from "../coach/agent.js";
import { flagsAtEnd } from "../coach/end.js";
import { authorOf, systemOf, useSystems } from "../coach/knowledge.js";
import { useKeys } from "../keyboard.js";
import { go, href } from "../router.js";
import { Session } from "../session.js";
import { settings } from "../settings.js";
import { useStore } from "../store.js";
import { Button, Waiting, complain, copy } from "../ui.js";
import { FIRST_CLICKS, Sentence, levelName, plural } from "../words.js";
import { useLevels } from "./newgame.js";

const draw = () => Math.floor(Math.random() * 1e9);

/** `as` in the address names one of the five systems: its agent, its rules and its first level are the defaults. */
export function WatchView({ query }) {
  const levels = useLevels();
  const systems = useSystems();
  const { as, seed } = query;
  const system = systemOf(systems, as);
  const own = system
    ? { level: system.levels[0], rules: system.rules, left: system.agents.includes(as) ? as : system.agent }
    : { level: "intermediate", rules: "opening", left: "best" };
  const { level, rules, left, right = "" } = { ...own, ...query };
  useEffect(() => {
    if (seed === undefined) go(href("/watch", { ...(as ? {} : own), ...query, seed: draw() }), { replace: true });
  }, [as, seed]);
  const set = (changes) => go(href("/watch", { ...query, ...changes }));
  const offered = system ? system.levels : (levels?.levels ?? []).map(({ name }) => name);
  const ready = !as || system; // the rules of a system are not known before it is fetched
  return html`<main class="view view--page page" id="main" tabindex="-1">
    <div class="page__inner page__inner--wide">
      <header class="watch__head">
        <h1 class="page__title">Watch</h1>
        <div class="toolbar watch__bar">
          <select class="input select watch__of" aria-label="A published system" value=${system?.name ?? ""}
            onChange=${(event) => go(href("/watch", { as: event.currentTarget.value, seed: draw() }))}>
            <option value="" selected=${!system}>Any game</option>
            ${systems.map((choice) => html`<option key=${choice.name} value=${choice.name}
              selected=${choice === system}>
              ${authorOf(choice)}
            </option>`)}
          </select>
          <select class="input select" aria-label="Level" value=${level}
            onChange=${(event) => set({ level: event.currentTarget.value, seed: draw() })}>
            ${(offered.includes(level) ? offered : [...offered, level]).map((name) => html`<option key=${name}
              value=${name} selected=${name === level}>
              ${levelName(name)}
            </option>`)}
          </select>
          ${(!system || rules !== system.rules) &&
          html`<select class="input select" aria-label="Rules" value=${rules}
            onChange=${(event) => set({ rules: event.currentTarget.value })}>
            ${Object.entries({ ...FIRST_CLICKS, [rules]: FIRST_CLICKS[rules] ?? rules }).map(
              ([name, text]) => html`<option key=${name} value=${name} selected=${name === rules}>${text}</option>`,
            )}
          </select>`}
          <${Button} onClick=${() => set({ seed: draw() })}>Another board<//>
          <${Button} quiet icon="link" label="Copy link" onClick=${() => copy(location.href, "Link copied")} />
        </div>
        <div class="toolbar watch__bar">
          <${AgentSelect} label="First agent" value=${left} onChange=${(name) => set({ left: name })} />
          ${right
            ? html`<span class="note">against</span>
                <${AgentSelect} label="Second agent" value=${right} onChange=${(name) => set({ right: name })} />
                <${Button} quiet icon="close" label="Only one agent" onClick=${() => set({ right: "" })} />`
            : html`<${Button} icon="plus" onClick=${() => set({ right: left === "sat" ? "best" : "sat" })}>
                Second agent
              <//>`}
        </div>
        ${system && html`<p class="watch__system">${system.title}. ${system.game}</p>`}
      </header>
      ${as && systems.length > 0 && !system
        ? html`<section class="card"><p class="prose">There is no system ${as}.</p></section>`
        : seed !== undefined &&
          ready &&
          html`<${Tables} key=${`${level} ${rules} ${seed}`} level=${level} rules=${rules} seed=${seed}
            names=${right ? [left, right] : [left]} starts=${Boolean(system)} />`}
    </div>
  </main>`;
}

function Tables({ level, rules, seed, names, starts }) {
  const [ids, setIds] = useState([]);
  const [failed, setFailed] = useState(null);
  const [running, setRunning] = useState(false);
  const [told, setTold] = useState({}); // by game: the moves of its agent, and its state
  const going = useRef(new Set()); // the games in which an agent still plays
  const turn = {
    run: () => {
      going.current = new Set(ids.slice(0, names.length));
      setRunning(true);
    },
    begin: (id) => going.current.add(id),
    end: (id) => {
      going.current.delete(id);
      if (!going.current.size) setRunning(false);
    },
  };
  useEffect(() => {
    let mounted = true;
    const missing = names.length - ids.length;
    if (missing > 0)
      Promise.all(Array.from({ length: missing }, () => post("games", { level, rules, seed: Number(seed) }))).then(
        (games) => mounted && setIds([...ids, ...games.map(({ id }) => id)]),
        (error) => mounted && setFailed(error.message),
      );
    return () => { mounted = false; };
  }, [names.length]);
  useEffect(() => {
    if (starts && ids.length) turn.run();
  }, [ids.length > 0]);
  if (failed) return html`<section class="card"><p class="prose">${failed}</p></section>`;
  if (ids.length < names.length) return html`<${Waiting} text="Laying the mines" />`;
  return html`<div class="watch__controls">
      <${Button} primary icon=${running ? "pause" : "run"} onClick=${() => (running ? setRunning(false) : turn.run())}>
        ${running ? "Stop" : names.length > 1 ? "Run both" : "Run"}
      <//>
      <div class="watch__speed"><${Speed} /></div>
      <p class="watch__result" role="status">
        ${names.length > 1 && html`<${Sentence} text=${compared(names, told[ids[0]], told[ids[1]])} />`}
      </p>
    </div>
    <div class=${`watch ${names.length > 1 ? "watch--two" : ""}`}>
      ${names.map((name, i) => html`<${Player} key=${`${ids[i]} ${i}`} id=${ids[i]} name=${name} running=${running}
        turn=${turn} tell=${(what) => setTold((before) => ({ ...before, [ids[i]]: what }))} />`)}
    </div>`;
}

const ENDS = { won: "has won", lost: "has lost", cleared: "has opened every safe cell" };

/** Who won, and the first move at which two agents differ. */
function compared([first, second], one, other) {
  if (!one?.moves.length || !other?.moves.length) return "";
  const end = (name, { state }) => (ENDS[state] ? [`${name} ${ENDS[state]}`] : []);
  const ends = [...end(first, one), ...end(second, other)];
  const least = Math.min(one.moves.length, other.moves.length);
  const at = one.moves.findIndex((move, i) => i < least && move !== other.moves[i]);
  const parted =
    at >= 0
      ? `They part at move ${at + 1}: ${first} plays ${one.moves[at]}, ${second} plays ${other.moves[at]}.`
      : "The same moves so far.";
  return `${ends.length ? `${ends.join(", ")}. ` : ""}${parted}`;
}

function Player({ id, name, running, turn, tell }) {
  const session = useMemo(() => new Session(id), [id]);
  useEffect(() => () => {
    session.close();
    turn.end(id);
  }, [session]);
  const state = useStore(session);
  const about = useAgents().find((agent) => agent.name === name);
  const writes = systemOf(useSystems(), name);
  const { game, position, turns, agent, handedBack } = state;
  const over = game && game.state !== "playing";
  const run = (mode) =>
    session.handOver(name, mode, mode === "step" ? 0 : agents.value.delay).catch(complain);
  useEffect(() => {
    if (!game) return;
    if (running && (agent || over)) turn.end(id);
    else if (running) {
      turn.begin(id);
      run("run").finally(() => turn.end(id));
    }
    if (!running && agent) session.ask("stop").catch(() => undefined);
  }, [running, Boolean(game)]);
  useEffect(() => {
    if (game) tell({ state: game.state, moves: turns.flatMap(({ moves }) => moves ?? []) });
  }, [turns, game?.state]);
  useKeys({ a: () => !agent && !over && run("step") });
  const last = turns.at(-1);
  const { board } = useStore(settings);
  const show = useMemo(() => {
    if (!position) return null;
    const { rows, cols, symbols } = position;
    const cells = (last?.moves ?? [])
      .map((move) => indexOf(move.split(" ")[1] ?? "", rows, cols))
      .filter((index) => index >= 0);
    return {
      rows, cols, symbols, label: `Board of ${name}`, still: true, chosen: cells.at(-1),
      hit: new Set(
        game.state === "lost" ? [...symbols].flatMap((symbol, index) => (symbol === "*" ? [index] : [])) : [],
      ),
      ...(game.over ? flagsAtEnd(position, game.over, [], board === "csp") : {}),
    };
  }, [position, last, game?.over, board]);
  if (!show) return html`<section class="card"><${Waiting} text="Fetching the game" /></section>`;
  const played = turns.reduce((sum, { moves }) => sum + (moves?.length ?? 0), 0);
  const guesses = turns.filter(({ moves, certain }) => moves?.length && !certain).length;
  return html`<section class="card watch__player" aria-label=${name}>
    <div class="watch__title"><h2>${name}</h2><span class="note">${about?.idea}</span></div>
    <div class="watch__state">
      <strong>
        ${{ playing: agent ? "playing" : "waiting", won: "won", lost: "lost", cleared: "cleared" }[game.state]}
      </strong>
      <span>${plural(["won", "cleared"].includes(game.state) ? 0 : game.mines_left, "mine")} left</span>
      <span>${plural(played, "move")}</span>
      <span>${plural(guesses, "guess", "guesses")}</span>${game.hits > 0 && html`<span>${game.hits} hit</span>`}
    </div>
    <div class="watch__now" tabindex="0" role="region" aria-label=${`Newest reason of ${name}`}>
      ${turns.length
        ? html`<${Reasons} turns=${turns} most=${1} />`
        : html`<p class="note">The reason of each move will be here.</p>`}
    </div>
    <div class="watch__stage" style=${{ "--cols": show.cols }}><${BoardBox} show=${show} on=${{}} /></div>
    <div class="actions">
      <${Button} disabled=${over || agent} icon="last" keyName="A" onClick=${() => run("step")}>One step<//>
      <${Button} disabled=${over || agent} icon="sure" onClick=${() => run("certain")}>All that is certain<//>
      ${agent && html`<${Button} icon="pause" onClick=${() => session.ask("stop")}>Stop<//>`}
      <a class="btn btn--quiet" href=${over ? `/review/${id}` : `/play/${id}`}>${over ? "Review" : "Take over"}</a>
    </div>
    ${handedBack &&
    !agent &&
    html`<p class="prose" role="status"><${Sentence} text=${stopText({ ...handedBack, state: game.state })} /></p>`}
    ${writes && html`<${KnowledgeFold} session=${session} agent=${name} seq=${game.seq} />`}
    ${turns.length > 1 &&
    html`<div class="watch__reasons" tabindex="0" role="region" aria-label=${`Reasons of ${name}`}>
      <${Reasons} turns=${turns} most=${8} />
    </div>`}
  </section>`;
}
