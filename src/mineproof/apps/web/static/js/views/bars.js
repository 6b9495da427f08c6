// The bars around the board: counters, tools, legend; and the bar under a finger.
import { html, useEffect, useReducer, useState } from "../lib.js";
import { oddsStep } from "../looks.js";
import { percentOf } from "../percent.js";
import { largestError } from "../overlay.js";
import { settings } from "../settings.js";
import { useStore } from "../store.js";
import { Button, Glyph, Icon, Menu, Segmented, Waiting } from "../ui.js";
import { Count, clock, levelName, plural } from "../words.js";
import { NewGameDialog, startOrSay, usual, useLevels, wanted } from "./newgame.js";

function Clock({ session }) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(redraw, 250);
    return () => clearInterval(timer);
  }, []);
  const time = clock(session.elapsed);
  return html`<span class="counter" role="timer" aria-label=${`time ${time}`}>
    <${Icon} name="clock" className="counter__icon" />${time}
  </span>`;
}

export function Status({ session, game, act, over, left }) {
  const [dialog, setDialog] = useState(false);
  const levels = useLevels();
  const want = useStore(wanted);
  const choose = (level) => {
    wanted.set({ level, preset: undefined });
    startOrSay(usual());
  };
  const levelItems = [
    ...(levels?.levels ?? []).map(({ name, rows, cols, mines }) => ({
      text: levelName(name), end: `${cols} × ${rows}, ${mines}`, checked: name === game.level, act: () => choose(name),
    })),
    { text: "Other …", note: "own size, rules of the five systems, seed", act: () => setDialog(true) },
  ];
  const newItems = [
    { text: "New game", end: "N", note: want.preset ? `rules of ${want.preset}` : undefined, act: act.fresh },
    ...(game.yours || over ? [{ text: "Same board again", end: "R", act: act.again }] : []),
    {
      text: "Board of the day",
      note: "the same for everyone on this server",
      act: () =>
        startOrSay({
          daily: "today",
          level: ["beginner", "intermediate", "expert"].includes(game.level) ? game.level : "intermediate",
        }),
    },
    {
      text: want.no_guess ? "Boards that need no guess: on" : "Boards that need no guess: off",
      act: () => {
        wanted.set({ no_guess: !want.no_guess, preset: undefined });
        startOrSay(usual());
      },
    },
    { title: "This board" },
    { text: "Copy a link to it", act: act.share },
    { text: "Open it in Analyse", act: act.analyse },
    ...act.sharing,
    { title: "More" },
    { text: "Size, rules, seed …", act: () => setDialog(true) },
  ];
  return html`<div class="status">
    <div>
      <span class="counter" role="img" aria-label=${`${plural(left, "mine")} left`}>
        <svg class="counter__icon glyph--flag" aria-hidden="true"><use href="#flag" /></svg>${left}
      </span>
      ${game.hits > 0 && !over && html`<span class="counter__note"> ${game.hits} opened</span>`}
    </div>
    <div class="group">
      <${Menu} label=${`Level: ${levelName(game.level)}${game.no_guess ? ", no guess" : ""}`}
        text=${html`${levelName(game.level).replace(/ mines?$/, "")}
          ${game.no_guess && html` <span class="chip chip--rule" title="This board needs no guess">no guess</span>`}`}
        items=${levelItems} />
      <${Menu} label="New game" text="New" items=${newItems} className="menu--new" />
    </div>
    <div class="status__end group">
      ${!over &&
      game.yours &&
      html`<${Button} quiet icon="pause" label=${game.paused ? "Continue" : "Pause"} title="Pause (P)"
        pressed=${game.paused} onClick=${() => act.pause(!game.paused)} />`}
      <${Clock} session=${session} />
    </div>
    ${dialog && html`<${NewGameDialog} onClose=${() => setDialog(false)} />`}
  </div>`;
}

const OVERLAYS = [
  ["odds", "Odds", "percent", "O"], ["certain", "Certain", "sure", "S"], ["best", "Best guess", "target", "B"],
];

export function Toolbar({ act, on, toggle, mode, setMode, over, game }) {
  return html`<div class="toolbar" role="toolbar" aria-label="Game">
    <${Button} icon="undo" keyName="U" disabled=${game.seq === 0} title=${`Undo (U); ${game.undone} taken back so far`}
      onClick=${act.undo}>
      Undo${game.undone > 0 && html` <span class="btn__count">${game.undone}</span>`}
    <//>
    <${Button} icon="pennant" label="Flag mode" title="Flag mode (M)" pressed=${mode === "flag"} disabled=${over}
      onClick=${() => setMode(mode === "flag" ? "open" : "flag")} />
    <span class="toolbar__bar" />
    ${OVERLAYS.map(([name, text, icon, key]) => html`<${Button} key=${name} icon=${icon} keyName=${key}
      pressed=${on[name]} onClick=${() => toggle(name)}>
      ${text}
    <//>`)}
    <span class="toolbar__gap" />
    <${Button} icon="bulb" keyName="W" disabled=${over} onClick=${act.hint}>Hint<//>
  </div>`;
}

/** The tools again at the lower edge of a small screen, in reach of the thumb. */
export function Tabbar({ act, on, toggle, mode, setMode, over, game }) {
  const item = (icon, text, more) => html`<button type="button" class="tabbar__item" ...${more}>
    <${Icon} name=${icon} />${text}
  </button>`;
  return html`<div class="tabbar" role="toolbar" aria-label="Tools">
    <${Segmented} label="A tap" value=${mode} onChange=${setMode}
      options=${[["open", "Open"], ["flag", "Flag", "pennant"], ["why", "Why", "target"]]} icons=${false} />
    ${item("undo", "Undo", { onClick: act.undo, disabled: game.seq === 0 })}
    ${item("percent", "Odds", { onClick: () => toggle("odds"), "aria-pressed": String(on.odds) })}
    ${item("sure", "Certain", { onClick: () => toggle("certain"), "aria-pressed": String(on.certain) })}
    ${item("bulb", "Hint", { onClick: act.hint, disabled: over })}
  </div>`;
}

export function Legend({ on, analysis, busy, failed, cancel, show, over, unlaid }) {
  const { board } = useStore(settings);
  if (unlaid && (on.odds || on.certain || on.best))
    return html`<div class="legend" role="status">
      <span>Any first click is safe: the mines are laid after it.</span>
    </div>`;
  if (failed) return html`<div class="legend" role="status"><span>${failed}</span></div>`;
  if (busy) return html`<div class="legend"><${Waiting} text="Counting" onCancel=${cancel} /></div>`;
  if (!analysis || !(on.odds || on.certain || on.best)) return html`<div class="legend" />`;
  const sign = (step, glyph, text) => html`<span class="legend__item">
    <span class=${`swatch odds-${step}`}><${Glyph} name=${glyph} /></span>${text}
  </span>`;
  return html`<div class="legend">
    ${(on.odds || on.certain) &&
    html`${sign(0, "tick", "certain safe")}
      ${on.odds &&
      html`<span class="legend__scale">
        <span>0 %</span>
        <span class="legend__steps" aria-hidden="true">
          ${[1, 2, 3, 4, 5, 6, 7, 8].map((step) => html`<span key=${step} class=${`odds-${step}`} />`)}
        </span>
        <span>100 %</span>
      </span>`}
      ${sign(9, "cross", "certain mine")}`}
    ${over &&
    board === "csp" &&
    show.symbols.includes("?") &&
    html`<span class="legend__item">
      <span class="swatch swatch--unidentified"><${Glyph} name="mine" /></span>not identified
    </span>`}
    ${on.odds &&
    show.unseen?.risk !== null &&
    show.unseen?.risk !== undefined &&
    html`<span class="legend__item">
      <span class=${`swatch odds-${oddsStep(show.unseen.risk)}`} />${percentOf(show.unseen.risk, 0)} on cells away from
      all numbers
    </span>`}
    ${on.best &&
    !over &&
    html`<span class="legend__item">
      ${analysis.safe.length
        ? "no guess is needed"
        : analysis.best
          ? html`best guess ${percentOf(analysis.best.risk, 0)}`
          : ""}
    </span>`}
    <span class="legend__end">
      ${over
        ? "Before the last click"
        : analysis.exact === false
          ? `estimated, ± ${Math.max(1, Math.round(100 * largestError(analysis)))} %`
          : analysis.solutions &&
            html`<${Count} digits=${String(analysis.solutions)} /> ${analysis.solutions === "1"
              ? "board fits"
              : "boards fit"}`}
    </span>
  </div>`;
}
