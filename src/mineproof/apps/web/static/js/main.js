// The shell: top bar, the view that the address names, dialogs. Everything else is in views/.
import { html, render, useEffect, useErrorBoundary, useState } from "./lib.js";
import { useKeys } from "./keyboard.js";
import { go, route } from "./router.js";
import { change, settings } from "./settings.js";
import { KeysDialog, SettingsDialog } from "./settingsview.js";
import { useStore } from "./store.js";
import { Button, Icon, Menu, NoPage, Segmented, Toasts, Verdict, Waiting } from "./ui.js";
import { PlayView, StartView } from "./views/play.js";

const VIEWS = [
  ["/play", "Play"], ["/watch", "Watch"], ["/analyse", "Analyse"], ["/review", "Review"], ["/learn", "Learn"],
  ["/stats", "Stats"],
];

/** A view that is loaded on first use, so that starting a game does not wait for the others. */
function lazy(load, name) {
  let loaded = null;
  return function Lazy(properties) {
    const [View, setView] = useState(() => loaded);
    const [failed, setFailed] = useState(null);
    useEffect(() => {
      if (!loaded) load().then((module) => setView(() => (loaded = module[name])), setFailed);
    }, []);
    if (View) return html`<${View} ...${properties} />`;
    return html`<main class="view view--page" id="main">
      <div class="lone">
        ${failed
          ? html`<div class="card">
              <${Verdict} sign="quiet" icon="half" text="No answer from the server" note="" />
              <div class="actions"><${Button} primary onClick=${() => location.reload()}>Load again<//></div>
            </div>`
          : html`<${Waiting} text="Fetching" />`}
      </div>
    </main>`;
  };
}

const WatchView = lazy(() => import("./views/watch.js"), "WatchView");
const AnalyseView = lazy(() => import("./views/analyse.js"), "AnalyseView");
const ReviewView = lazy(() => import("./views/review.js"), "ReviewView");
const LearnView = lazy(() => import("./views/learn.js"), "LearnView");
const StatsView = lazy(() => import("./views/stats.js"), "StatsView");

function viewOf({ path, query }) {
  const [, first = "", name, more] = path.split("/");
  if (more) return html`<${NoPage} />`;
  if (first === "" || first === "play")
    return name ? html`<${PlayView} key=${name} id=${name} query=${query} />` : html`<${StartView} query=${query} />`;
  if (first === "watch") return html`<${WatchView} query=${query} />`;
  if (first === "analyse") return html`<${AnalyseView} query=${query} />`;
  if (first === "review") return html`<${ReviewView} key=${name ?? ""} id=${name} query=${query} />`;
  if (first === "learn" || first === "systems")
    return html`<${LearnView} name=${first === "systems" ? "systems" : name} query=${query} />`;
  if (first === "stats") return html`<${StatsView} />`;
  return html`<${NoPage} />`;
}

function Guarded({ children }) {
  const [error, reset] = useErrorBoundary();
  useEffect(() => route.watch(() => error && reset()), [error]);
  if (!error) return children;
  return html`<main class="view view--page" id="main">
    <div class="lone">
      <div class="card">
        <${Verdict} sign="wrong" icon="cross" text="This view has failed" note=${String(error.message ?? error)} />
        <p class="prose">Your games are safe on the server.</p>
        <div class="actions"><${Button} primary onClick=${() => location.reload()}>Load again<//></div>
      </div>
    </div>
  </main>`;
}

function App() {
  const now = useStore(route);
  const { theme } = useStore(settings);
  const [dialog, setDialog] = useState(null);
  useKeys({ "?": () => setDialog("keys") });
  const section = `/${now.path.split("/")[1] || "play"}`;
  const title = VIEWS.find(([path]) => path === section)?.[1];
  useEffect(() => {
    document.title = title && title !== "Play" ? `${title} · Mineproof` : "Mineproof";
  }, [title]);
  return html`<div class="app">
    <a class="skip" href="#main">Skip to the board</a>
    <header class="topbar">
      <a class="brand" href="/"><svg class="brand__sign" aria-hidden="true"><use href="#sign" /></svg>Mineproof</a>
      <nav class="nav" aria-label="Views">
        ${VIEWS.map(([path, text]) => html`<a key=${path} class="nav__link" href=${path}
          aria-current=${path === section ? "page" : undefined}>
          ${text}
        </a>`)}
      </nav>
      <div class="topbar__end">
        <div class="topbar__theme">
          <${Segmented} icons label="Colours" value=${theme} onChange=${(value) => change({ theme: value })}
            options=${[["light", "Light", "sun"], ["dark", "Dark", "moon"], ["system", "As the system", "half"]]} />
        </div>
        <${Button} quiet icon="gear" label="Settings" onClick=${() => setDialog("settings")} />
        <${Button} quiet icon="help" label="Keys" title="Keys (?)" className="topbar__keys"
          onClick=${() => setDialog("keys")} />
        <div class="topbar__menu">
          <${Menu} end label="Views" text=${html`<${Icon} name="menu" />`}
            items=${[
              ...VIEWS.map(([path, text]) => ({ text, checked: path === section, act: () => go(path) })),
              { title: "Help" }, { text: "Fingers, mouse and keys", act: () => setDialog("keys") },
            ]} />
        </div>
      </div>
    </header>
    <${Guarded}>${viewOf(now)}<//>
    ${dialog === "settings" && html`<${SettingsDialog} onClose=${() => setDialog(null)} />`}
    ${dialog === "keys" && html`<${KeysDialog} onClose=${() => setDialog(null)} />`}
    <${Toasts} />
  </div>`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));

// The page works without its service worker, which some browsers refuse.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => undefined);
