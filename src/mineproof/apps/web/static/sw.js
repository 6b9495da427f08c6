// Lets the page open offline: files come from the server if it answers, otherwise from the last visit. Games are never
// cached, because the server is authoritative.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const CACHE = "mineproof-shell-1";
const SHELL = "/";
const FILES = [
  "/",
  "/static/css/base.css",
  "/static/css/board.css",
  "/static/css/coach.css",
  "/static/css/controls.css",
  "/static/css/small.css",
  "/static/css/tokens.css",
  "/static/css/views.css",
  "/static/js/api.js",
  "/static/js/board.js",
  "/static/js/boardbox.js",
  "/static/js/brought.js",
  "/static/js/cells.js",
  "/static/js/coach/agent.js",
  "/static/js/coach/coach.js",
  "/static/js/coach/end.js",
  "/static/js/coach/hint.js",
  "/static/js/coach/knowledge.js",
  "/static/js/coach/rating.js",
  "/static/js/coach/steps.js",
  "/static/js/coach/why.js",
  "/static/js/gestures.js",
  "/static/js/keyboard.js",
  "/static/js/lib.js",
  "/static/js/looks.js",
  "/static/js/main.js",
  "/static/js/overlay.js",
  "/static/js/panel.js",
  "/static/js/percent.js",
  "/static/js/router.js",
  "/static/js/session.js",
  "/static/js/settings.js",
  "/static/js/settingsview.js",
  "/static/js/sound.js",
  "/static/js/store.js",
  "/static/js/ui.js",
  "/static/js/views/analyse.js",
  "/static/js/views/bars.js",
  "/static/js/views/chart.js",
  "/static/js/views/hard.js",
  "/static/js/views/learn.js",
  "/static/js/views/lesson.js",
  "/static/js/views/newgame.js",
  "/static/js/views/play.js",
  "/static/js/views/review.js",
  "/static/js/views/stats.js",
  "/static/js/views/systems.js",
  "/static/js/views/verdict.js",
  "/static/js/views/watch.js",
  "/static/js/visitor.js",
  "/static/js/words.js",
  "/static/vendor/hooks.js",
  "/static/vendor/htm.js",
  "/static/vendor/preact.js",
  "/static/lessons.json",
  "/static/icons/icon.svg",
  "/static/icons/caret.svg",
];

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  const key = request.mode === "navigate" ? SHELL : request;
  event.respondWith(
    fetch(request)
      .then((answer) => {
        if (answer.ok) {
          const copy = answer.clone();
          event.waitUntil(caches.open(CACHE).then((cache) => cache.put(key, copy)));
        }
        return answer;
      })
      .catch(async () => (await caches.match(key)) ?? Response.error()),
  );
});
