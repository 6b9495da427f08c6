// A game on the server, as the page sees it: its socket, its moves, and what was asked about it.
//
// The server is authoritative. A move without an answer is kept and sent again after a reconnect; it has its own id, so
// that it is played once. Answers about a position that is no longer current are dropped.
import { isClosed, nameOf, parsePosition, withChanges } from "./cells.js";
import { Store } from "./store.js";

const fresh = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`; // only secure pages have randomUUID
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

const MARKED = { flag: "F", question: "Q", unflag: "H" };

/** A position with the flags of moves that are not answered yet. */
export function marked(position, pending) {
  const symbols = [...position.symbols];
  for (const { kind, index } of pending)
    if (MARKED[kind] && isClosed(symbols[index])) symbols[index] = MARKED[kind];
  return { ...position, symbols: symbols.join("") };
}

export class Session extends Store {
  constructor(id) {
    super({
      id, game: null, position: null, link: "connecting", gone: null, before: null, ripple: undefined, turns: [],
      agent: null, waiting: 0, retryAt: 0, pending: [], // {kind, index}: moves without an answer
    });
    this.questions = new Map(); // id -> {message, resolve, reject}
    this.wait = FIRST_WAIT;
    this.onVisible = () => this.value.link === "open" && this.attend(!document.hidden);
    document.addEventListener("visibilitychange", this.onVisible);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    if (this.closed) return;
    const socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/games/${this.value.id}/socket`,
    );
    this.socket = socket;
    socket.onmessage = ({ data }) => this.socket === socket && this.hear(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (this.closed || this.socket !== socket) return;
      if (code === 4404) {
        this.set({ link: "gone", gone: reason || "This game no longer exists." });
        this.failAll({ kind: "not-found", message: "This game no longer exists." });
        return;
      }
      this.set({ link: "lost", agent: null, retryAt: Date.now() + this.wait, tooMany: code === 4429 });
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  retry() {
    this.wait = FIRST_WAIT;
    if (this.value.link === "lost") this.connect();
  }

  close() {
    this.closed = true;
    document.removeEventListener("visibilitychange", this.onVisible);
    clearTimeout(this.timer);
    this.socket?.close();
    this.watchers.clear();
  }

  hear(message) {
    if (message.event === "game") {
      this.wait = FIRST_WAIT;
      this.takeGame(message.game);
      for (const { message: again } of this.questions.values()) {
        if (again.do === "agent")
          this.answer({
            id: again.id, error: { kind: "interrupted", message: "The connection was lost while the agent played." },
          });
        else this.socket?.send(JSON.stringify(again));
      }
      if (document.hidden) this.attend(false);
      return;
    }
    if (message.event === "moved") { // another page shows the same game and has moved
      this.takeMoved(message.moved);
      return;
    }
    if (message.event === "paused" || message.event === "owner") {
      this.takeGame(message.game);
      return;
    }
    if (message.event === "turn") {
      this.takeTurn(message.turn);
      return;
    }
    this.answer(message);
  }

  /** Settle a question. @param {{id: string, ok?: any, error?: {kind: string, message: string}}} message */
  answer({ id, ok, error }) {
    const question = this.questions.get(id);
    if (!question) return;
    this.questions.delete(id);
    this.set({ waiting: this.questions.size });
    if (error) question.reject(Object.assign(new Error(error.message), { kind: error.kind }));
    else question.resolve(ok);
  }

  failAll(error) {
    for (const id of [...this.questions.keys()]) this.answer({ id, error });
  }

  /** Ask the server. The `id` of the promise cancels the question. */
  ask(kind, more = {}) {
    const message = { id: fresh(), do: kind, ...more };
    const answer = new Promise((resolve, reject) => {
      this.questions.set(message.id, { message, resolve, reject });
      this.set({ waiting: this.questions.size });
      if (this.socket?.readyState === WebSocket.OPEN && this.value.link === "open")
        this.socket.send(JSON.stringify(message));
    });
    return Object.assign(answer, { id: message.id });
  }

  cancel(promise) {
    if (promise && this.questions.has(promise.id)) this.ask("cancel", { of: promise.id }).catch(() => undefined);
  }

  takeGame(game) {
    const position = parsePosition(game.position);
    position.mines = game.mines;
    this.set({ game, position, link: "open", gone: null, clockAt: performance.now(), ripple: undefined });
  }

  /** Ask for the whole game. Without an answer the connection is lost, which is shown. */
  sync() {
    this.ask("sync").then((game) => this.takeGame(game), () => undefined);
  }

  /** Take what a move has changed; `from` is the cell of a move of this page. */
  takeMoved(moved, from) {
    const { game, position } = this.value;
    if (!game || moved.seq <= game.seq) return;
    if (moved.repeated || moved.since !== game.seq) {
      this.sync();
      return;
    }
    const { seq, state, mines_left, hits, elapsed_ms, undone, deaths_undone, seen, over, changed } = moved;
    const opened = changed.some(([, , symbol]) => /[0-8*]/.test(symbol));
    const running = moved.running ?? (state === "playing" && (game.running || opened));
    const counts = { seq, state, mines_left, hits, elapsed_ms, undone, deaths_undone, seen, over };
    this.set({
      game: { ...game, ...counts, running, unlaid: game.unlaid && !opened },
      position: { ...position, symbols: withChanges(position, changed) },
      before: changed.some(([, , symbol]) => /[0-8*?]/.test(symbol)) ? position.symbols : this.value.before,
      last: from ?? this.value.last,
      ripple: from,
      clockAt: performance.now(),
    });
    if (state !== "playing" && game.state === "playing") this.sync(); // only the whole game says whether it counts
  }

  takeTurn(turn) {
    this.takeMoved(turn);
    this.set({ turns: [...this.value.turns.slice(-199), { ...turn, at: this.value.game.seq }] });
  }

  /** The position as the player sees it. */
  get seen() {
    return marked(this.value.position, this.value.pending);
  }

  /** Play a move: "open" and an index, or "undo" alone. A refusal is `outdated` if another page had moved. Without a
   * connection one move is kept, and others are refused. */
  async move(kind, index) {
    const { position: { cols }, pending, link } = this.value;
    if (link === "lost" && pending.length) throw Object.assign(new Error("A move is kept already."), { kind: "kept" });
    const text = index === undefined ? kind : `${kind} ${nameOf(index, cols)}`;
    const mine = { kind, index, text };
    const settle = () => this.set({ pending: this.value.pending.filter((move) => move !== mine) });
    this.set({ pending: [...pending, mine] });
    try {
      const moved = await this.ask("move", { move: text });
      this.takeMoved(moved, index);
      settle();
      return moved;
    } catch (error) {
      settle();
      if (["illegal-move", "paused"].includes(error.kind)) {
        const { seq, paused } = this.value.game;
        const game = await this.ask("sync");
        error.outdated = game.seq !== seq || game.paused !== paused;
        if (error.outdated) this.takeGame(game);
      }
      throw error;
    }
  }

  /** Tell the server whether the page is on screen: the clock runs only then. */
  attend(visible) {
    this.ask(visible ? "back" : "away").then((game) => this.takeGame(game), () => undefined);
  }

  async pause(yes) {
    this.takeGame(await this.ask(yes ? "pause" : "resume"));
  }

  /** Let an agent play until it stops. */
  async handOver(agent, mode, delay) {
    this.set({ agent: { name: agent, mode, stop: undefined } });
    try {
      const last = await this.ask("agent", { agent, mode, ...(delay ? { delay_ms: delay } : {}) });
      this.takeMoved(last);
      this.set({ agent: null, handedBack: last });
      return last;
    } catch (error) {
      this.set({ agent: null });
      throw error;
    }
  }

  get elapsed() {
    const { game, clockAt, link } = this.value;
    if (!game) return 0;
    return (
      game.elapsed_ms +
      (game.running && !game.paused && game.state === "playing" && link === "open" ? performance.now() - clockAt : 0)
    );
  }
}
