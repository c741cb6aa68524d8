// What must happen in the browser itself: the theme before the first paint, and a board that answers at once.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem("kibitz-theme") || "auto";
  const apply = () => {
    const dark = chosen() === "dark" || (chosen() === "auto" && system.matches);
    root.dataset.theme = dark ? "dark" : "light";
    if (window.Quasar && document.body) Quasar.Dark.set(dark);
  };
  apply();
  system.addEventListener("change", apply);
  addEventListener("load", () => setTimeout(apply));
  // The first click always changes something that can be seen.
  const nextTheme = (button) => {
    const order = system.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
    localStorage.setItem("kibitz-theme", order[(order.indexOf(chosen()) + 1) % 3]);
    apply();
    button.title = button.ariaLabel = `Theme: ${chosen() === "auto" ? "as the system" : chosen()}`;
  };
  // The page takes the place of the heading that was painted before it.
  new MutationObserver((_, watch) => {
    if (!document.querySelector("#app .k-main")) return;
    document.querySelector(".k-splash")?.remove();
    watch.disconnect();
  }).observe(root, { childList: true, subtree: true });

  // A board may be drawn anew between the moment when somebody presses and the moment when they let go. Then what was pressed is
  // gone, and the browser's own click with it. So a press that is not a drag counts by itself, as a click on what was pressed.
  let press = null;
  addEventListener("pointerdown", (event) => {
    const board = event.button === 0 && event.target.closest?.(".board");
    press = board ? { board, id: thing(event.target)?.id, x: event.clientX, y: event.clientY, pointer: event.pointerId } : null;
  }, true);
  addEventListener("pointercancel", () => { press = null; }, true); // the finger scrolls
  addEventListener("pointerup", (event) => {
    const { board, id, x, y, pointer } = press ?? {};
    press = null;
    if (!id || pointer !== event.pointerId || Math.hypot(event.clientX - x, event.clientY - y) > 12) return;
    board.dispatchEvent(new CustomEvent("pick", { detail: id }));
  }, true);
  // Who presses without a pointer (voice control, a script) sends a click alone.
  addEventListener("click", (event) => {
    const part = event.detail === 0 && thing(event.target);
    if (part) part.closest(".board")?.dispatchEvent(new CustomEvent("pick", { detail: part.id }));
  });

  // A click or a key on a board finds the thing that has an id; those that may be chosen now are listed on the board.
  const thing = (target) => target?.closest?.(".corner, .edge, .hex, .harbour");
  const mark = (element, on, name) => element?.classList.toggle(`${name}-${element.id.split("-")[0]}`, on);
  const spotted = (id, on) => {
    document.querySelectorAll(".board").forEach((board) => mark(board.querySelector(`[id="${id}"]`), on, "lit"));
    document.querySelectorAll(`[data-spot="${id}"]`).forEach((row) => row.classList.toggle("lit", on));
  };
  let hovered = null;
  const hover = (id) => {
    if (hovered === id) return;
    if (hovered) spotted(hovered, false);
    hovered = id;
    if (id) spotted(id, true);
  };
  const follow = (event) => {
    const row = event.target.closest?.("[data-spot]");
    const board = event.target.closest?.(".board");
    const part = board && thing(event.target);
    const open = part && (board.dataset.legal || "").split(" ").includes(part.id);
    const named = part && document.querySelector(`[data-spot="${part.id}"]`);
    hover(row ? row.dataset.spot : open || named ? part.id : null);
  };
  addEventListener("mouseover", follow);
  addEventListener("focusin", follow);

  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const choices = (board) => {
    const legal = (board.dataset.legal || "").split(" ").filter(Boolean);
    const found = legal.length ? legal.map((id) => board.querySelector(`[id="${id}"]`)) : [...board.querySelectorAll(".corner")];
    return found.filter(Boolean);
  };
  const moveCursor = (board, [dx, dy]) => {
    const all = choices(board);
    const now = board.querySelector(`[id="${board.dataset.cursor}"]`);
    if (!all.length) return;
    let next = all[0];
    if (now) {
      const [x, y] = centre(now);
      let best = Infinity;
      for (const other of all) {
        const [ox, oy] = centre(other);
        const along = (ox - x) * dx + (oy - y) * dy, across = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
        if (other !== now && along > 4 && along + 2 * across < best) { best = along + 2 * across; next = other; }
      }
      if (best === Infinity) next = now;
      mark(now, false, "cursor");
    }
    board.dataset.cursor = next.id;
    mark(next, true, "cursor");
    const said = board.parentElement.querySelector("[aria-live]");
    if (said) said.textContent = next.querySelector("title")?.textContent || next.id;
  };
  addEventListener("keydown", (event) => {
    const board = event.target;
    if (!board.classList?.contains("board")) return;
    if (event.key in steps) {
      event.preventDefault();
      moveCursor(board, steps[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const now = board.querySelector(`[id="${board.dataset.cursor}"]`);
      if (now) board.dispatchEvent(new CustomEvent("pick", { detail: now.id }));
    }
  });

  addEventListener("click", (event) => {
    const pressed = (selector) => event.target.closest?.(selector);
    if (pressed(".k-menu")) kibitz.menu();
    else if (!pressed(".k-nav")) kibitz.menu(false);
    if (pressed(".k-theme")) nextTheme(pressed(".k-theme"));
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") kibitz.menu(false);
    // These step through a game; without this they would scroll the page as well.
    const typing = event.target.closest?.("input, textarea, select, [role=listbox]");
    if ((event.key === "Home" || event.key === "End") && !typing && document.querySelector(".k-stepped")) event.preventDefault();
  });

  // Who has no pointer reaches what is wider than its box with Tab, and scrolls it with the arrow keys.
  let due = 0;
  const reach = () => {
    due ||= requestAnimationFrame(() => {
      due = 0;
      for (const one of document.querySelectorAll(".scroll-x")) {
        if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
        else one.removeAttribute("tabindex");
      }
    });
  };
  addEventListener("resize", reach);
  addEventListener("toggle", reach, true); // what is folded has no width

  // A board that is drawn anew forgets its marks; a dialog is called what its heading says.
  new MutationObserver((records) => {
    reach();
    for (const dialog of document.querySelectorAll("[role=dialog]:not([aria-label])")) {
      const heading = dialog.querySelector("h2");
      if (heading) dialog.setAttribute("aria-label", heading.textContent);
    }
    document.querySelector(".q-loading-bar:not([aria-label])")?.setAttribute("aria-label", "Loading");
    for (const { target } of records) {
      if (!target.classList?.contains("board")) continue;
      if (hovered) mark(target.querySelector(`[id="${hovered}"]`), true, "lit");
      if (target === document.activeElement) mark(target.querySelector(`[id="${target.dataset.cursor}"]`), true, "cursor");
    }
  }).observe(root, { childList: true, subtree: true });

  window.kibitz = {
    menu: (open) => {
      const button = document.querySelector(".k-menu");
      button?.setAttribute("aria-expanded", open ?? button.getAttribute("aria-expanded") !== "true");
    },
    address: (query) => history.replaceState(history.state, "", `${location.pathname}${query ? "?" + query : ""}`),
    arrive: () => {
      scrollTo(0, 0);
      document.getElementById("content")?.focus({ preventScroll: true });
    },
    // A select would take every letter for itself after something was chosen; the next Tab still goes on from there.
    letGo: () => setTimeout(() => {
      if (document.activeElement?.closest(".q-select")) document.activeElement.blur();
    }),
    // Browsers give the clipboard only to pages of this machine and to those behind https; elsewhere there is the old way.
    async copy(text) {
      if (navigator.clipboard) return navigator.clipboard.writeText(text);
      const field = document.body.appendChild(document.createElement("textarea"));
      field.value = text;
      field.select();
      document.execCommand("copy");
      field.remove();
    },
  };
})();
