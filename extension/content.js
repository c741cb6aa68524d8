// In the page, beside its scripts: numbers the messages that hook.js copies, hands them to background.js in batches until
// each is kept there, and shows what Kibitz answers.
"use strict";
const companion = globalThis.browser ?? chrome;
const BATCH = 300; // messages
const SOON = 50, AGAIN = 1_000, ALIVE = 4_000; // milliseconds

const queue = []; // { connection, number, message } that are not yet kept
const counts = new Map(); // of messages, by connection
let busy = false, timer = 0, latest = null;

const overlay = makeOverlay({
  pair: (code) => say({ kind: "pair", code }),
});

addEventListener("message", ({ source, data }) => {
  if (source !== window || data?.kibitz !== "heard" || typeof data.message !== "string") return;
  const number = counts.get(data.connection) ?? 0;
  counts.set(data.connection, number + 1);
  queue.push({ connection: data.connection, number, message: data.message });
  later(SOON);
});

const later = (wait) => {
  clearTimeout(timer);
  timer = setTimeout(pump, wait);
};

// One message to the background, and its answer on the overlay.
const say = async (message) => {
  const connections = [...counts.keys()].slice(-3);
  const said = await companion.runtime.sendMessage({ ...message, connections });
  const answers = Object.values(said?.answers ?? {}).filter(Boolean);
  const games = answers.filter((answer) => answer.game || answer.trouble);
  if (answers.length) latest = games.at(-1) ?? null; // a game that Kibitz no longer has is not shown
  overlay.show({ ...said, latest });
  return said;
};

const pump = async () => {
  if (busy) return;
  busy = true;
  try {
    do {
      const first = queue[0];
      const alike = queue.findIndex((one) => one.connection !== first.connection);
      const size = Math.min(BATCH, alike < 0 ? queue.length : alike);
      const messages = queue.slice(0, size).map((one) => one.message);
      const batch = first && { connection: first.connection, first: first.number, messages };
      const said = await say({ kind: "messages", batch });
      if (batch && !said.kept) throw new Error(said.error);
      queue.splice(0, size);
    } while (queue.length);
    later(ALIVE); // also wakes the background while something waits for Kibitz
  } catch (error) {
    overlay.show({ problem: companion.runtime?.id ? "absent" : "gone", latest });
    later(AGAIN); // the worker was stopped in the middle: the same again
  } finally {
    busy = false;
  }
};

later(0);
