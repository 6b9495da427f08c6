// Other people at a game: who may look, how it is handed over, and what a visitor sees.
import { html, useEffect } from "./lib.js";
import { post } from "./api.js";
import { note } from "./router.js";
import { Button, Verdict, complain, copy, say } from "./ui.js";

export const WATCHING = "You are watching somebody's game.";

/** Take over the game, if the address offers it; its pages are told who the owner is now. */
export function useTaken(id, code) {
  useEffect(() => {
    if (!code) return;
    note({ take: undefined });
    post(`games/${id}/take`, { code }).then(() => say("The game is yours now."), complain);
  }, [id, code]);
}

/** What the owner can let others do with the game, as items of a menu. */
export function shareItems(session) {
  const { id, yours, private: hidden } = session.value.game;
  const watch = { text: "Copy a link to watch it", act: () => copy(`${location.origin}/play/${id}`, "Link copied") };
  const hide = () =>
    post(`games/${id}/${hidden ? "show" : "hide"}`).then(
      () => say(hidden ? "Anybody with the link can watch this game." : "Nobody else sees this game now."),
      complain,
    );
  const offer = () =>
    post(`games/${id}/offer`).then(
      ({ path }) => copy(location.origin + path, "Link copied. Whoever opens it first plays on, and you watch."),
      complain,
    );
  const title = { title: "This game" };
  if (!yours) return [title, watch];
  return [
    title, ...(hidden ? [] : [watch]),
    { text: hidden ? "Others can watch: no" : "Others can watch: yes", act: hide },
    { text: "Hand it over …", note: "by a link that works once", act: offer },
  ];
}

export function WatchPanel({ game, act }) {
  return html`<${Verdict} sign="quiet" icon="target" text=${WATCHING}
      note=${game.paused ? "Paused" : ""} />
    <p class="prose">Every move appears here as it is made. Only its owner can play.</p>
    <div class="actions"><${Button} primary wide keyName="N" onClick=${act.fresh}>New game of your own<//></div>`;
}
