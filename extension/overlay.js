// The panel on the page: what Kibitz knows, and how sure it is. It lives in a closed shadow root, writes text only, and stands
// beside the board, or folded to one line where there is no room.
"use strict";
const RESOURCES = ["wood", "brick", "sheep", "wheat", "ore"];
const PRICES = { road: "road", settlement: "settlement", city: "city", dev_card: "card" };
const SURE = 1 - 1e-9;
const LOOK = `
  :host { all: initial; position: fixed; z-index: 2147483000; }
  * { box-sizing: border-box; }
  .panel { --bg: #fff; --ink: #1f2a30; --muted: #5c6870; --line: #dedad0; --accent: #0067a8; --warn: #8a4b00; --soft: #fdf1dd;
    width: 320px; max-height: calc(100vh - 16px); overflow: auto; background: var(--bg); color: var(--ink);
    border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 2px 14px rgb(0 0 0 / .22);
    font: 12px/1.4 system-ui, "Segoe UI", Roboto, Arial, sans-serif; font-variant-numeric: tabular-nums; }
  @media (prefers-color-scheme: dark) { .panel { --bg: #1d242a; --ink: #e8ecee; --muted: #9fabb3; --line: #3b464f;
    --accent: #6cb8ea; --warn: #f2b866; --soft: #3a2d18; color-scheme: dark; } }
  .panel.folded { width: auto; max-width: 320px; } .folded .body { display: none; }
  header { display: flex; align-items: center; gap: 7px; padding: 6px 6px 6px 10px; cursor: move; user-select: none; touch-action: none; }
  header b { color: var(--accent); } header span { flex: 1; color: var(--muted); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  i { width: 8px; height: 8px; border-radius: 50%; background: #9aa4aa; } i.sure { background: #00855c; } i.unsure { background: #e08a00; }
  button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px; padding: 1px 8px; cursor: pointer; }
  .body { padding: 0 10px 9px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 7px; }
  .note { background: var(--soft); color: var(--warn); border-radius: 6px; padding: 4px 8px; }
  table { border-collapse: collapse; width: 100%; table-layout: fixed; }
  th { width: 35px; font-size: 10.5px; } th:first-child { width: auto; } th:is(:nth-child(2), :nth-child(n + 8)) { width: 25px; } th { color: var(--muted); font-weight: 500; }
  th, td { padding: 2px 1px; white-space: nowrap; text-align: right; vertical-align: top; } th:first-child, td:first-child { text-align: left; padding-left: 0; }
  td:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
  tr.me td:first-child { color: var(--accent); } td small { display: block; color: var(--muted); font-size: 10px; } td.none { color: var(--muted); }
  tr.pays td { text-align: left; color: var(--muted); font-size: 11px; font-weight: 400; padding: 0 0 4px; border-bottom: 1px solid var(--line); white-space: normal; }
  .muted { color: var(--muted); } .dice { display: flex; gap: 2px; align-items: end; }
  .dice div { flex: 1; text-align: center; font-size: 10px; color: var(--muted); } .dice u { display: block; background: var(--accent); border-radius: 2px 2px 0 0; }
  form { display: flex; gap: 6px; } input { font: inherit; flex: 1; min-width: 0; padding: 3px 7px; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); color: var(--ink); text-transform: uppercase; }
  footer { display: flex; flex-wrap: wrap; gap: 10px; } a { color: var(--accent); }
`;

const node = (tag, text = "", look = "") => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (look) made.className = look;
  return made;
};
const within = (tag, look, ...parts) => {
  const made = node(tag, "", look);
  made.append(...parts.filter(Boolean));
  return made;
};
// Halves go to the even number, as in the tables of Kibitz.
const whole = (x) => (x % 1 === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
const chance = (p) => (p > 1e-9 && p < 0.005 ? "<1 %" : p > 0.995 && p < SURE ? ">99 %" : `${whole(100 * p)} %`);
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const counted = (n, name) => `${n} ${name}${n === 1 ? "" : "s"}`;

// A number of cards: the most likely one, or (`some`) the most likely one that is not none, as Track shows it; with its chance
// where that is not certain.
const cell = ({ distribution }, some = false) => {
  const known = Object.entries(distribution).filter(([n]) => !some || n !== "0");
  const [best, p] = known.reduce((a, b) => (b[1] > a[1] ? b : a), known.length ? [0, -1] : [0, 1]).map(Number);
  return within("td", best || p < SURE ? "" : "none", node("span", `${best}`), p < SURE && node("small", chance(p)));
};

const hands = (game) => {
  const rows = game.players.flatMap((player, seat) => {
    const name = node("td", player.name);
    name.title = `${player.name}: ${chance(player.confidence)} known`;
    const held = node("td", `${player.dev_card_count}`, player.dev_card_count ? "" : "none");
    // One card that may be any is not five times none.
    const some = RESOURCES.reduce((sum, resource) => sum + player.hand[resource].most_likely, 0) < player.cards.min;
    const row = within("tr", seat === game.observer ? "me" : "", name, cell(player.cards),
      ...RESOURCES.map((resource) => cell(player.hand[resource], some)), held, node("td", `${player.visible_points}`));
    const pays = Object.entries(PRICES).filter(([item]) => player.can_afford[item] > 1e-9)
      .map(([item, word]) => word + (player.can_afford[item] < SURE ? ` ${chance(player.can_afford[item])}` : ""));
    const line = node("td", `${chance(player.confidence)} known · ${pays.length ? `can buy ${pays.join(", ")}` : "can't buy anything"}`);
    line.colSpan = 9;
    return [row, within("tr", "pays", line)];
  });
  const heads = ["", "all", ...RESOURCES, "dev", "pts"].map((head) => node("th", head));
  return within("table", "", within("tr", "", ...heads), ...rows);
};

const steals = (game) => {
  const open = game.steals.filter((steal) => steal.resolved === null);
  const name = (seat) => game.players[seat].name;
  const line = ({ thief, victim, odds }) => {
    const cards = Object.entries(odds).sort(([, a], [, b]) => b - a).map(([card, p]) => `${card} ${chance(p)}`.replaceAll(" ", "\u00a0")); // a card and its chance in one line
    return node("div", `${name(thief)} from ${name(victim)}: ${cards.join(", ")}`);
  };
  return open.length > 0 && within("div", "steals", node("div", "Steals you didn't see", "muted"), ...open.slice(-4).reverse().map(line));
};

const dice = (game) => {
  const top = Math.max(1, ...Object.values(game.dice)), total = Object.values(game.dice).reduce((sum, n) => sum + n, 0);
  const bars = Object.entries(game.dice).map(([sum, n]) => {
    const bar = node("u");
    bar.style.height = `${(28 * n) / top}px`;
    return within("div", "", node("span", n ? `${n}` : ""), bar, node("span", sum));
  });
  return within("div", "", node("div", `${counted(total, "roll")} · ${counted(game.dev_cards_left, "development card")} left`, "muted"), within("div", "dice", ...bars));
};

// Why the figures may be wrong, in words.
const doubts = (game) => [
  game.trouble && `No longer followed: ${game.trouble}`,
  game.missing && `${sentence(game.missing)}.`,
  game.gaps.length > 0 && `${counted(game.gaps.reduce((sum, [a, b]) => sum + b - a + 1, 0), "message")} missing (after number ${game.gaps[0][0] - 1}).`,
  game.lost > 0 && `${counted(game.lost, "message")} lost on the way to Kibitz.`,
  ...game.problems.filter(({ reason }) => !/ missing$/.test(reason)).slice(0, 3)
    .map(({ reason, count }) => `${sentence(reason)}${count > 1 ? ` (${count} times)` : ""}.`),
  game.repairs.length > 0 && `${counted(game.repairs.length, "contradiction")} mended.`,
  game.error_bound > 0 && "Unlikely hands were dropped.",
].filter(Boolean);

const PROBLEMS = {
  absent: "Kibitz is not running. Start it with: kibitz web. What happens meanwhile is kept for it.",
  unpaired: "Not paired yet. In Kibitz, open Track, Follow games live (or type: kibitz extension --code), and type the code here:",
  trouble: "Kibitz has a problem:",
  gone: "The companion was updated: load this page again.",
};

function makeOverlay({ pair }) {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  const light = node("i"), title = node("span", "waiting for a game"), fold = node("button", "–");
  const bar = within("header", "", light, node("b", "Kibitz"), title, fold), body = node("div", "", "body");
  const panel = within("div", "panel", bar, body);
  root.append(node("style", LOOK), panel);
  // What is typed here is not for the page's shortcuts.
  for (const kind of ["keydown", "keyup", "keypress"]) host.addEventListener(kind, (event) => event.stopPropagation());

  // --- where it stands ---
  let place = null, folded = null, shown = "";
  const width = () => panel.offsetWidth || 320;
  const board = () => [...document.querySelectorAll("canvas")].map((one) => one.getBoundingClientRect())
    .sort((a, b) => b.width * b.height - a.width * a.height)[0];
  const beside = () => {
    const at = board();
    return at && at.width > 200 ? innerWidth - at.right >= 324 : null; // null: there is no board yet
  };
  const settle = () => {
    const room = beside();
    panel.classList.toggle("folded", folded ?? room !== true);
    fold.textContent = panel.classList.contains("folded") ? "+" : "–";
    fold.title = panel.classList.contains("folded") ? "Open" : "Fold";
    const x = place?.x ?? innerWidth - width() - 8, y = place?.y ?? 8;
    host.style.left = `${Math.max(0, Math.min(x, innerWidth - width()))}px`;
    host.style.top = `${Math.max(0, Math.min(y, innerHeight - 34))}px`;
  };
  const remember = () => companionStore().set({ overlay: { place, folded } });
  fold.addEventListener("click", () => {
    folded = !panel.classList.contains("folded");
    settle();
    remember();
  });
  bar.addEventListener("pointerdown", (down) => {
    if (down.target === fold) return;
    const from = host.getBoundingClientRect();
    const move = (event) => {
      place = { x: from.left + event.clientX - down.clientX, y: from.top + event.clientY - down.clientY };
      settle();
    };
    bar.setPointerCapture(down.pointerId);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => (bar.removeEventListener("pointermove", move), remember()), { once: true });
  });
  addEventListener("resize", settle);
  companionStore().get("overlay").then(({ overlay }) => {
    ({ place = null, folded = null } = overlay ?? {});
    settle();
  });
  const attach = () => {
    if (document.documentElement && !host.isConnected) document.documentElement.append(host);
    settle();
  };
  document.addEventListener("DOMContentLoaded", attach);
  addEventListener("load", attach);
  attach();

  // --- what it shows ---
  const form = () => {
    const field = node("input"), made = within("form", "", field, node("button", "Pair"));
    field.placeholder = "XXXX-XXXX";
    field.setAttribute("aria-label", "The code that Kibitz shows");
    made.addEventListener("submit", (event) => {
      event.preventDefault();
      shown = "";
      pair(field.value).catch(() => {});
    });
    return made;
  };
  const link = (text, address) => {
    const made = node("a", text);
    Object.assign(made, { href: address, target: "_blank", rel: "noopener" });
    return made;
  };

  return {
    show(said) {
      const state = JSON.stringify({ ...said, kept: undefined });
      if (state === shown) return attach(); // what somebody types stays
      shown = state;
      const { problem, error, latest, port } = said, game = latest?.game;
      const notes = [problem && PROBLEMS[problem], problem === "trouble" && error, latest?.trouble, ...(game ? doubts(game) : [])];
      const wrong = problem === "unpaired" && error?.includes("code") && error;
      title.textContent = problem === "absent" ? "not running" : problem === "unpaired" ? "not paired" : !game ? "waiting for a game"
        : game.over ? "game over" : `turn ${game.turn}${game.approximate ? " · not sure" : ""}`;
      light.className = problem || !game ? "" : game.approximate ? "unsure" : "sure";
      const home = `http://127.0.0.1:${port ?? 8477}`;
      const links = game && [game.over && link("Review this game", home + game.review), link("Open in Kibitz", home + game.page)].filter(Boolean);
      body.replaceChildren(...[
        ...notes.filter(Boolean).map((text) => node("div", text, "note")),
        wrong && node("div", wrong, "note"),
        problem === "unpaired" && form(),
        game && hands(game), game && steals(game), game && dice(game), game && within("footer", "", ...links),
      ].filter(Boolean));
      attach();
    },
  };
}

const companionStore = () => (globalThis.browser ?? chrome).storage.local;
