// Hand over to an agent, watch its moves and reasons, and take over again.
import { html, useEffect, useState } from "../lib.js";
import { getOnce } from "../api.js";
import { nameAt } from "../cells.js";
import { Store, kept, useStore } from "../store.js";
import { Button, Fold, Waiting, complain } from "../ui.js";
import { aPercent, percentOf } from "../percent.js";
import { Sentence } from "../words.js";
import { Knowledge, systemOf, useSystems } from "./knowledge.js";

export const agents = new Store({ chosen: kept.get("agent", "sat"), delay: kept.get("delay", 200) });
agents.watch(({ chosen, delay }) => {
  kept.set("agent", chosen);
  kept.set("delay", delay);
});

export function useAgents() {
  const [list, setList] = useState([]);
  useEffect(() => void getOnce("agents").then((answer) => setList(answer.agents), () => undefined), []);
  return list;
}

/** Each agent in a few words, the strongest first. Agents that are not listed come last, and describe themselves. */
const SHORT = {
  deep: "strongest, takes its time",
  best: "strong and fast, may guess",
  "lowest-risk": "every certain move, else least risk",
  careful: "every certain move, never guesses",
  sat: "a logic solver, never guesses",
  csp: "constraints, else a random cell",
  asp: "answer sets, else a random cell",
  chaining: "clauses, else a random cell",
  "normal-form": "two clues, else a random cell",
  matching: "short clauses, never guesses",
  basic: "one clue, else a random cell",
};
const ORDER = Object.keys(SHORT);
const rank = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

export function AgentSelect({ value, onChange, label = "Agent" }) {
  const list = useAgents();
  const names = list.length ? list.map(({ name }) => name) : [value];
  if (!names.includes(value)) names.push(value);
  names.sort((a, b) => rank(a) - rank(b));
  const line = (name) => SHORT[name] ?? list.find((agent) => agent.name === name)?.idea;
  return html`<select class="input select" aria-label=${label} value=${value}
    onChange=${(event) => onChange(event.currentTarget.value)}>
    ${names.map((name) => html`<option key=${name} value=${name} selected=${name === value}>
      ${name}${line(name) ? `: ${line(name)}` : ""}
    </option>`)}
  </select>`;
}

export function Speed({ label = "Pause between moves" }) {
  const { delay } = useStore(agents);
  return html`<label class="field speed">
    <span>Speed</span>
    <input class="range" type="range" min="0" max="1500" step="50" value=${1500 - delay} aria-label=${label}
      aria-valuetext=${delay ? `${delay} ms between moves` : "as fast as it can"}
      onInput=${(event) => agents.set({ delay: 1500 - event.currentTarget.value })} />
    <span class="speed__value">${delay ? `${(delay / 1000).toFixed(2)} s` : "full"}</span>
  </label>`;
}

/** Why an agent stopped, in words. */
export function stopText({ agent, stop, risk, alternatives = [], state }) {
  if (stop === "over") return state === "lost" ? `${agent} opened a mine.` : `${agent} has finished the game.`;
  if (stop === "stuck") return `${agent} finds no certain move, and never guesses. Your turn.`;
  if (stop === "asked") return `${agent} has stopped. Your turn.`;
  if (stop === "guess") {
    const odds = risk === null || risk === undefined ? "" : `, with ${aPercent(risk)} risk of a mine`;
    const would = alternatives[0] ? ` It would open ${nameAt(alternatives[0].cell)}${odds}.` : "";
    return `${agent} stops: only guesses remain.${would} Your turn.`;
  }
  return `${agent} paused. Your turn.`;
}

export function AgentPanel({ session, state }) {
  const { chosen, delay } = useStore(agents);
  const list = useAgents();
  const about = list.find(({ name }) => name === chosen);
  const writes = systemOf(useSystems(), chosen);
  const { turns, agent, handedBack, game } = state;
  const over = game.state !== "playing";
  const run = (mode) =>
    session.handOver(chosen, mode, mode === "step" ? 0 : delay).catch(complain);
  return html`
    <div class="handover">
      <div class="handover__row">
        <${AgentSelect} value=${chosen} onChange=${(name) => agents.set({ chosen: name })} />
        ${agent
          ? html`<${Button} primary wide icon="pause" onClick=${() => session.ask("stop")}>Take over<//>`
          : html`<${Button} primary wide icon="run" disabled=${over} onClick=${() => run("run")}>
              Let ${chosen} play
            <//>`}
      </div>
      ${about &&
      html`<p class="note">
        ${about.idea}${about.complete ? "; finds every certain cell" : "; may miss certain cells"}.
      </p>`}
      <div class="handover__row">
        <${Button} wide icon="last" disabled=${over || agent} onClick=${() => run("step")}>One step<//>
        <${Button} wide icon="sure" disabled=${over || agent} onClick=${() => run("certain")}>All that is certain<//>
      </div>
      <${Speed} />
    </div>
    ${agent
      ? html`<${Waiting} text=${`${agent.name} is playing`} still=${`${agent.name} is playing …`} />`
      : handedBack &&
        html`<p class="prose" role="status"><${Sentence} text=${stopText({ ...handedBack, state: game.state })} /></p>`}
    ${writes && html`<${KnowledgeFold} session=${session} agent=${chosen} seq=${game.seq} />`}
    <section class="section">
      <h3 class="section__title"><span>Its reasons</span><span>newest first</span></h3>
      ${turns.some(({ moves }) => moves?.length)
        ? html`<${Reasons} turns=${turns} />`
        : html`<p class="note">Nothing yet. Let it make a move: each comes with its clues.</p>`}
    </section>`;
}

export function Reasons({ turns, most = 24 }) {
  return html`<div class="reasons">
    ${turns.slice(-most).reverse().flatMap((turn, i) =>
      reasonsOf(turn).map((reason, j) => html`<div key=${`${turns.length - i}.${j}`} class="reason">
        <span class="reason__move">${reason.title}</span><span class="reason__risk">${reason.note}</span>
        ${reason.text && html`<span class="reason__text"><${Sentence} quiet text=${reason.text} /></span>`}
      </div>`),
    )}
  </div>`;
}

function reasonsOf(turn) {
  if (!turn.moves?.length) return [];
  const why = turn.why ?? [];
  if (!turn.certain)
    return [
      {
        title: turn.moves.join(", "),
        note: turn.risk === null || turn.risk === undefined ? "a guess" : `a guess, ${percentOf(turn.risk)} risk`,
        text: why[0]?.text ?? "",
      },
    ];
  if (!why.length) return [{ title: short(turn.moves), note: "certain", text: "" }];
  const reasons = why.slice(0, 6).map((reason) => ({
    title: `${reason.verdict === "mine" ? "flag" : "open"} ${reason.cells.slice(0, 4).map(nameAt).join(", ")}`,
    note: reason.level ? `level ${reason.level}` : "certain", text: reason.text,
  }));
  if (turn.moves.length > reasons.length + 2)
    reasons.push({ title: `${turn.moves.length} moves in this turn`, note: "", text: "" });
  return reasons;
}

const short = (moves) => (moves.length > 4 ? `${moves.slice(0, 4).join(", ")} …` : moves.join(", "));

/** The knowledge of an agent of the five systems, renewed after its moves. Only one request runs at a time; the next
 * one covers all moves made meanwhile. */
export function KnowledgeFold({ session, agent, seq }) {
  const [open, setOpen] = useState(false);
  const [written, setWritten] = useState(null);
  const [failed, setFailed] = useState(null);
  const [askedAt, setAskedAt] = useState(null);
  useEffect(() => {
    if (!open || askedAt !== null || (written?.agent === agent && written.seq === seq) || failed?.seq === seq) return;
    setAskedAt(seq);
    session
      .ask("knowledge", { system: agent })
      .then(
        ({ seq: at, knowledge }) => {
          setWritten({ ...knowledge, seq: at });
          setFailed(null);
        },
        ({ message }) => setFailed({ seq, message }),
      )
      .finally(() => setAskedAt(null));
  }, [open, agent, seq, askedAt]);
  return html`<${Fold} title=${`What ${agent} has written down`} onOpen=${() => setOpen(true)}>
    <div class="fold__pad">
      ${written?.agent === agent
        ? html`<${Knowledge} answer=${written} />`
        : failed
          ? html`<p class="note">${failed.message}</p>`
          : html`<${Waiting} text="Writing" />`}
    </div>
  <//>`;
}
