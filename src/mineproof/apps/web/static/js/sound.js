// A short sound at each move, if the settings allow it.
import { settings } from "./settings.js";

let context;

export function tick(kind) {
  if (!settings.value.sound) return;
  context ??= new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  const now = context.currentTime;
  tone.frequency.value = kind === "open" || kind === "chord" ? 660 : 440;
  volume.gain.setValueAtTime(0.06, now);
  volume.gain.exponentialRampToValueAtTime(0.0001, now + 0.05);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.06);
}
