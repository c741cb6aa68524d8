// The service worker (in Firefox an event page): it keeps messages in storage until Kibitz has taken them, and asks nobody
// but Kibitz on this machine. It may be stopped at any moment; what it knows is in storage.
//
//   "paired"                 { token, port }: what pairing gave
//   "q:<connection>:<first>" { connection, first, messages, at }: messages that Kibitz has not taken yet
//
// Messages have numbers, so that those that come twice count once.
"use strict";
const api = globalThis.browser ?? chrome;
const store = api.storage.local;
const PORT = 8477;

const ask = async (path, body, { token, port }) => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/live/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-kibitz-companion": token },
    body: JSON.stringify(body),
    credentials: "omit",
    cache: "no-store",
    signal: AbortSignal.timeout(30_000),
  });
  const said = await answer.json().catch(() => ({})); // another program may listen there
  if (answer.ok && !said.error) return said;
  return { status: answer.status, error: said.error ?? `port ${port} answered ${answer.status}, and not as Kibitz does` };
};

const paired = async () => (await store.get("paired")).paired;

// A code is eight letters and, where Kibitz listens at another port than usual, that port.
const pair = async (code, connections) => {
  const letters = code.replace(/[^a-z0-9]/gi, ""), port = Number(letters.slice(8)) || PORT;
  const said = await ask("pair", { code: letters.slice(0, 8) }, { token: "", port });
  if (said.token) await store.set({ paired: { token: said.token, port } });
  return said.error ? { problem: "unpaired", error: said.error } : flush(connections);
};

const waiting = async () => {
  const all = Object.entries(await store.get(null)).filter(([key]) => key.startsWith("q:"));
  return all.sort(([, a], [, b]) => a.at - b.at || a.first - b.first);
};

const keep = async (batch) => {
  const entry = { [`q:${batch.connection}:${batch.first}`]: { ...batch, at: Date.now() } };
  try {
    await store.set(entry);
  } catch { // full: the oldest make room, and their numbers will tell that they are missing
    const old = await waiting();
    await store.remove(old.slice(0, Math.ceil(old.length / 2)).map(([key]) => key));
    await store.set(entry);
  }
};

// Hand over what waits, in its order, and look at the games of some connections; one such turn at a time. The answer: what
// Kibitz says of each connection, or the problem.
let turn = Promise.resolve();
const flush = (connections = []) => (turn = turn.catch(() => {}).then(() => handOver(connections)));
const handOver = async (connections) => {
  const to = await paired();
  if (!to) return { problem: "unpaired" };
  const answers = {};
  const refused = ({ status, error }) => ({ problem: status === 403 ? "unpaired" : "trouble", error });
  try {
    for (const [key, { connection, first, messages }] of await waiting()) {
      const said = await ask("messages", { connection, first, messages }, to);
      const never = said.status === 413 || said.status === 422; // then its numbers are told as missing
      if (!never && !Number.isInteger(said.next)) return refused(said);
      if (!never) answers[connection] = said;
      await store.remove(key);
    }
    for (const connection of connections.filter((one) => !answers[one])) { // also what another page has handed over
      const said = await ask("messages", { connection, first: 0, messages: [] }, to);
      if (said.error) return refused(said);
      answers[connection] = said;
    }
    const said = connections.length ? {} : await ask("hello", {}, to);
    return said.error ? refused(said) : { answers: Object.fromEntries(connections.map((one) => [one, answers[one]])) };
  } catch (error) {
    return { problem: "absent", error: String(error) };
  }
};

const heard = async ({ kind, batch, connections, code }) => {
  if (kind === "pair") return pair(code, connections);
  if (batch) await keep(batch);
  return { ...(await flush(connections)), kept: Boolean(batch), port: (await paired())?.port ?? PORT };
};

api.runtime.onMessage.addListener((message, sender, reply) => {
  heard(message).then(reply, (error) => reply({ problem: "absent", error: String(error) }));
  return true; // the answer comes later
});
api.runtime.onStartup.addListener(() => void flush());
