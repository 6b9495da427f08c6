// A chart of the winning chance over the moves of a game, or of the chance to survive if the former is unknown.
import { html, useRef } from "../lib.js";
import { percentOf } from "../percent.js";
import { Waiting } from "../ui.js";
import { kindOf } from "./review.js";

const WIDTH = 800;
const HEIGHT = 130;
const LEFT = 34;
const BOTTOM = 18;

const NORMAL = 1.96; // standard errors on each side of a 95 % band

/** A chance {value, error}, with its band. */
const point = ({ value, error = 0 }) => ({ mid: value, low: value - NORMAL * error, high: value + NORMAL * error });

function series(moves, summary, total) {
  const chances = moves.flatMap((move, i) => (move.chance ? [[i, point(move.chance)]] : []));
  if (chances.length) {
    if (summary?.start && chances[0][0] > 0) chances.unshift([0, point(summary.start)]);
    if (summary?.end) chances.push([total, point(summary.end)]);
    return { title: "Winning chance", points: chances };
  }
  let alive = 1;
  const list = [[0, point({ value: 1 })]];
  moves.forEach((move, i) => {
    if (kindOf(move) || move.mark === "start") alive *= 1 - (move.risk ?? 0);
    list.push([i + 1, point({ value: alive })]);
  });
  return { title: "Chance of still being alive, by the risks taken", points: list };
}

export function Chart({ moves, summary, total, step, to, busy }) {
  const svg = useRef();
  if (busy) return html`<figure class="chart chart--empty"><${Waiting} text="Judging the moves" /></figure>`;
  if (!moves?.length)
    return html`<figure class="chart chart--empty"><p class="note">No chart: the moves were not judged.</p></figure>`;
  const { title, points: list } = series(moves, summary, total);
  const top = Math.min(1, Math.ceil(Math.max(0.1, ...list.map(([, value]) => value.high)) * 5) / 5);
  const x = (move) => LEFT + (WIDTH - LEFT - 10) * (total ? move / total : 0);
  const y = (chance) => 8 + (HEIGHT - BOTTOM - 8) * (1 - Math.max(0, Math.min(top, chance)) / top);
  // a chance holds until the move that changes it: steps, not slopes
  const corners = list.flatMap(([move, value], i) => (i ? [[move, list[i - 1][1]], [move, value]] : [[move, value]]));
  const path = (points, edge) =>
    points.map(([move, value]) => `${x(move).toFixed(1)} ${y(value[edge]).toFixed(1)}`).join("L");
  const line = `M${path(corners, "mid")}`;
  const band = `M${path(corners, "high")}L${path([...corners].reverse(), "low")}Z`;
  const near = (move) => list.findLast(([at]) => at <= move) ?? list[0];
  const guesses = moves.flatMap((move, i) => (kindOf(move) ? [[i, kindOf(move)]] : []));
  const choose = (event) => {
    const box = svg.current.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    to(Math.round(((at - LEFT) / (WIDTH - LEFT - 10)) * total));
  };
  const now = near(step)[1];
  const marks = [...new Set(guesses.map(([, mark]) => mark))];
  return html`<figure class="chart">
    <figcaption class="chart__head">
      <strong>${title}, %</strong>
      <span class="chart__key">
        ${marks.map((mark) => html`<span class="legend__item" key=${mark}>
          <svg class=${`mark mark--${mark}`} aria-hidden="true">
            <use href=${`#m-${mark === "mistake" ? "poor" : mark}`} />
          </svg>
          ${mark}
        </span>`)}
      </span>
    </figcaption>
    <svg ref=${svg} class="chart__svg" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img"
      aria-label=${`${title} from move 0 to ${total}; now, at move ${step}: ${percentOf(now.mid, 0)}`}
      onClick=${choose}>
      ${[0, 0.5, 1].map((share) => html`<line key=${share} class="chart__grid" x1=${LEFT} x2=${WIDTH - 10}
        y1=${y(share * top)} y2=${y(share * top)} />`)}
      ${[0, 0.5, 1].map((share) => html`<text key=${`t${share}`} class="chart__text" x=${LEFT - 8}
        y=${y(share * top) + 4} text-anchor="end">
        ${Math.round(100 * share * top)}
      </text>`)}
      <path class="chart__band" d=${band} /><path class="chart__line" d=${line} />
      <line class="chart__now" x1=${x(step)} x2=${x(step)} y1="4" y2=${HEIGHT - BOTTOM} />
      ${guesses.map(([move, mark]) => html`<svg key=${move} class=${`mark--${mark}`} x=${x(move) - 6}
        y=${y(near(move)[1].mid) - 6} width="12" height="12" overflow="visible">
        <use href=${`#m-${mark === "mistake" ? "poor" : mark}`} />
      </svg>`)}
      <text class="chart__label" x=${Math.min(WIDTH - 10, x(step) + 6)} y="14"
        text-anchor=${step > total * 0.8 ? "end" : "start"} dx=${step > total * 0.8 ? -12 : 0}>
        ${percentOf(now.mid, 0)}
      </text>
      <text class="chart__text" x=${LEFT} y=${HEIGHT - 3}>0</text>
      <text class="chart__text" x=${WIDTH - 10} y=${HEIGHT - 3} text-anchor="end">${total}</text>
    </svg>
  </figure>`;
}
