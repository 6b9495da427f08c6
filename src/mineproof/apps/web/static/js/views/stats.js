// Statistics of the player's own games; export and delete.
import { html, useEffect, useState } from "../lib.js";
import { get, remove } from "../api.js";
import { go } from "../router.js";
import { kept } from "../store.js";
import { Button, Dialog, Verdict, Waiting, complain, say } from "../ui.js";
import { percentOf } from "../percent.js";
import { FIRST_CLICKS, levelName, plural, secondsOf } from "../words.js";

export function StatsView() {
  const [stats, setStats] = useState(null);
  const [failed, setFailed] = useState(null);
  const [asking, setAsking] = useState(false);
  const [days, setDays] = useState([]);
  const fetchStats = () =>
    Promise.all([get("statistics"), get("games?limit=200")]).then(
      ([figures, { games }]) => {
        setStats(figures);
        setDays(games.filter(({ daily, state }) => daily && state !== "playing"));
      },
      (error) => setFailed(error.message),
    );
  useEffect(() => void fetchStats(), []);
  const forget = async () => {
    try {
      await remove("me");
      kept.set("game", null);
      setAsking(false);
      say("All your games are deleted");
      await fetchStats();
    } catch (error) {
      complain(error);
    }
  };
  return html`<main class="view view--page page" id="main" tabindex="-1">
    <div class="page__inner">
      <header>
        <h1 class="page__title">Statistics</h1>
        <p class="page__lead">
          Games that you finished without help, on boards that you could not know. Other games are counted separately.
        </p>
      </header>
      ${failed
        ? html`<section class="card">
            <${Verdict} sign="quiet" icon="half" text="No statistics" note="" /><p class="prose">${failed}</p>
          </section>`
        : !stats
          ? html`<${Waiting} text="Counting" />`
          : html`<${Figures} stats=${stats} />`}
      ${days.length > 0 && html`<${Days} games=${days} />`}
      ${(stats || failed) &&
      html`<section class="card">
        <h2>Your data</h2>
        <p class="prose">Games belong to this browser, through a cookie. Nothing else is known about you.</p>
        <div class="actions">
          <a class="btn" href="/api/me/export" download>Export all games</a>
          <${Button} icon="bin" onClick=${() => setAsking(true)}>Delete all games …<//>
        </div>
      </section>`}
      ${asking &&
      html`<${Dialog} title="Delete all your games?" onClose=${() => setAsking(false)}>
        <p class="prose">
          All games, moves and statistics will be deleted for good. Export them first if you may need them.
        </p>
        <div class="dialog__foot">
          <${Button} onClick=${() => setAsking(false)}>Keep them<//>
          <${Button} className="btn--danger" onClick=${forget}>Delete them<//>
        </div>
      <//>`}
    </div>
  </main>`;
}

function Figures({ stats }) {
  if (!stats.counted) {
    const other = Object.entries(stats.not_counted ?? {}).filter(([, count]) => count);
    return html`<section class="card">
      <${Verdict} sign="quiet" icon="target" text="No counted games yet"
        note=${other.length
          ? `not counted: ${other.map(([why, count]) => `${count} ${why}`).join(", ")}`
          : "play one to its end"} />
      <div class="actions"><${Button} primary onClick=${() => go("/play")}>Play<//></div>
    </section>`;
  }
  const wins = stats.levels.reduce((sum, level) => sum + level.wins, 0);
  const { guesses, not_counted: apart = {} } = stats;
  const figure = (value, label) => html`<div class="balance__item">
    <span class="balance__value">${value}</span><span class="balance__label">${label}</span>
  </div>`;
  return html`<div class="balance balance--four">
      ${figure(stats.counted, "games")}${figure(percentOf(wins / stats.counted, 0), `won (${wins})`)}
      ${figure(stats.streak, "current streak")}${figure(stats.best_streak, "best streak")}
    </div>
    <section class="card">
      <h2>By level</h2>
      <div class="table-wrap">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Level</th><th scope="col" class="num">Games</th><th scope="col" class="num">Won</th>
              <th scope="col" class="num">Best time</th><th scope="col" class="num">Usual time</th>
              <th scope="col" class="num">Best speed</th><th scope="col" class="num">Best streak</th>
            </tr>
          </thead>
          <tbody>
            ${stats.levels.map((row) => html`<tr key=${row.level + row.rules + row.no_guess}>
              <td>
                <strong>${levelName(row.level)}</strong> <span class="note">
                  ${rulesOf(row)}
                </span>
              </td>
              <td class="num">${row.games}</td><td class="num">${percentOf(row.win_rate, 0)}</td>
              <td class="num">${time(row.best_ms)}</td><td class="num">${time(row.median_ms)}</td>
              <td class="num">${row.best_3bv_per_second?.toFixed(2) ?? "–"}</td>
              <td class="num">${row.best_streak}</td>
            </tr>`)}
          </tbody>
        </table>
      </div>
      <p class="note">
        The usual time is the median. Speed is in 3BV per second: the 3BV of a board is the least number of clicks that
        opens it without flags.
      </p>
    </section>
    ${stats.levels
      .filter(({ times }) => times?.length)
      .map((row) => html`<${Times} key=${row.level + row.rules + row.no_guess} row=${row} />`)}
    ${guesses.games > 0 && html`<${Luck} guesses=${guesses} counted=${stats.counted} />`}
    <p class="note">
      Not counted: ${apart.helped ?? 0} with help, ${apart.known ?? 0} on known
      boards, ${apart.unfinished ?? 0} unfinished.
    </p>`;
}

const time = (ms) => (ms === null || ms === undefined ? "–" : secondsOf(ms));

/** The guesses of all games: forced, poor and needless ones, and whether luck was with the player. */
function Luck({ guesses, counted }) {
  const { games, certain, forced, poor, needless, mistakes, expected_mines: expected, mines } = guesses;
  const guessed = forced + needless;
  const figures = [
    [certain, "certain moves"], [forced, "forced guesses"], [poor, "of them poor"], [needless, "needless guesses"],
    [mistakes, "mistakes"], [expected.toFixed(1), "mines expected"], [mines, "mines opened"],
  ];
  const fell =
    mines < expected - 0.5
      ? "You were luckier than the odds."
      : mines > expected + 0.5
        ? "You were less lucky than the odds."
        : "Your luck matched the odds.";
  const skill = needless
    ? `A certain move was available in ${needless} of ${plural(guessed, "guess", "guesses")}.`
    : "You never guessed when a certain move was available.";
  return html`<section class="card">
    <h2>
      Skill and
      luck <span class="note">
        ${games === counted
          ? "all counted games"
          : `the last ${games} of ${counted} counted games; the others are not reviewed yet`}
      </span>
    </h2>
    <div class="stats stats--wide">
      ${figures.map(([value, label]) => html`<div class="stat" key=${label}>
        <span class="stat__label">${label}</span><span class="stat__value">${value}</span>
      </div>`)}
    </div>
    <p class="prose">${guessed ? `${fell} ${skill}` : "No guesses yet."}</p>
  </section>`;
}

const dayOf = (at) => new Date(at).toLocaleDateString(undefined, { dateStyle: "medium" });

const rulesOf = ({ rules, no_guess: noGuess }) => (FIRST_CLICKS[rules] ?? rules) + (noGuess ? ", no guess" : "");

/** The boards of the day that the player has finished, newest first. */
function Days({ games }) {
  return html`<section class="card">
    <h2>Boards of the day</h2>
    <div class="table-wrap">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Day</th><th scope="col">Level</th><th scope="col">Result</th>
            <th scope="col" class="num">Time</th>
          </tr>
        </thead>
        <tbody>
          ${games.map(({ id, daily, level, state, elapsed_ms: ms }) => html`<tr key=${id}>
            <td><a href=${`/review/${id}`}>${dayOf(`${daily}T12:00`)}</a></td>
            <td>${levelName(level)}</td><td>${state}</td>
            <td class="num">${secondsOf(ms)}</td>
          </tr>`)}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** Times of won games, oldest first. */
function Times({ row }) {
  const { level, times } = row;
  const width = 1120;
  const height = 120;
  const longest = Math.max(...times.map(([, ms]) => ms));
  const x = (i) => 40 + ((width - 50) * i) / Math.max(1, times.length - 1);
  const y = (ms) => 10 + (height - 26) * (1 - ms / longest);
  return html`<section class="card">
    <h2>${levelName(level)} <span class="note">${rulesOf(row)}: times of won games</span></h2>
    <svg class="chart__svg" viewBox=${`0 0 ${width} ${height}`} role="img"
      aria-label=${`${times.length} times, the best ${secondsOf(Math.min(...times.map(([, ms]) => ms)))}`}>
      ${[0, 1].map((share) => html`<g key=${share}>
        <line class="chart__grid" x1="40" x2=${width - 10} y1=${y(share * longest)} y2=${y(share * longest)} />
        <text class="chart__text" x="34" y=${y(share * longest) + 4} text-anchor="end">
          ${Math.round((share * longest) / 1000)} s
        </text>
      </g>`)}
      <path class="chart__line"
        d=${times.map(([, ms], i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(ms).toFixed(1)}`).join("")} />
      ${times.map(([at, ms], i) => html`<circle key=${at} class="chart__dot" cx=${x(i)} cy=${y(ms)} r="3.5"
        fill="currentColor"><title>${dayOf(at)}: ${secondsOf(ms)}</title></circle>`)}
      ${[...new Set([0, times.length - 1])].map((i) => html`<text key=${`d${i}`} class="chart__text" x=${x(i)}
        y=${height - 1} text-anchor=${i ? "end" : "start"}>
        ${dayOf(times[i][0])}
      </text>`)}
    </svg>
    <h3 class="section__title">Best times</h3>
    <ol class="bests">
      ${[...times].sort(([, one], [, other]) => one - other).slice(0, 5).map(([at, ms]) => html`<li key=${at}>
        <strong>${secondsOf(ms)}</strong> <span class="note">${dayOf(at)}</span>
      </li>`)}
    </ol>
  </section>`;
}
