// What moves at a table. Motions come as plain data, the game goes on meanwhile, and a click or a key ends them all.
(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const place = (name) => document.querySelector(`.board [id="${name}"]`) || document.querySelector(`[data-fly="${name}"]`);
  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  let ends = new Set();
  const skip = () => { for (const end of ends) end(); ends = new Set(); };
  addEventListener("pointerdown", skip, true);
  addEventListener("keydown", skip, true);
  const later = (delay, act, end = () => {}) => {
    const timer = setTimeout(act, delay);
    const stop = () => { clearTimeout(timer); end(); };
    ends.add(stop);
    return () => ends.delete(stop);
  };

  const tumble = (delay) => document.querySelectorAll(".k-die").forEach((die, n) =>
    die.animate([{ transform: `rotate(${n ? 380 : -400}deg) scale(.7)` }, { transform: "none" }],
      { duration: 420, delay, easing: "cubic-bezier(.2, .8, .3, 1)", fill: "backwards" }));
  const glow = (names, delay) => names.forEach((name) => {
    const light = (on) => place(name)?.classList.toggle("pays", on);
    const done = later(delay, () => { light(true); done(); later(900, () => light(false), () => light(false)); });
  });
  const fly = ({ from, to, picture }, delay) => {
    const [start, end] = [place(from), place(to)];
    if (!start || !end) return;
    const [[x, y], [u, v]] = [centre(start), centre(end)];
    const card = document.body.appendChild(document.createElement("div"));
    card.className = `k-flight ${picture ? "terrain-" + picture : "back"}`;
    card.ariaHidden = "true";
    const drawn = picture && document.querySelector(`.pic-${picture}`);
    if (drawn) card.append(drawn.cloneNode(true));
    const at = (a, b, scale) => `translate(${a}px, ${b}px) translate(-50%, -50%) scale(${scale})`;
    const flight = card.animate(
      [{ transform: at(x, y, .5), opacity: 0 }, { transform: at(x, y - 14, 1.1), opacity: 1, offset: .2 },
        { transform: at(u, v, .8), opacity: 1, offset: .9 }, { transform: at(u, v, .4), opacity: 0 }],
      { duration: 750, delay, easing: "ease-in-out", fill: "both" });
    const end_it = () => card.remove();
    flight.onfinish = () => { end_it(); ends.delete(end_it); };
    ends.add(end_it);
  };
  // The board is drawn already with the piece where it is: it comes from where it was.
  const walk = ({ piece, from, to }, delay) => {
    const [moved, start, end] = [place(piece), place(from), place(to)];
    if (!moved || !start || !end) return;
    const svg = moved.ownerSVGElement, scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    const [[x, y], [u, v]] = [centre(start), centre(end)];
    moved.animate([{ transform: `translate(${(x - u) * scale}px, ${(y - v) * scale}px)` }, { transform: "translate(0px, 0px)" }],
      { duration: 550, delay, easing: "ease-in-out", fill: "backwards", composite: "add" });
  };

  // Sounds are made here, and only for those who want them.
  let audio = null;
  const wanted = () => localStorage.getItem("kibitz-sound") === "on";
  const tone = (pitch, delay, length, volume = .08, shape = "triangle") => {
    const [sound, strength] = [audio.createOscillator(), audio.createGain()], begin = audio.currentTime + delay;
    sound.type = shape;
    sound.frequency.value = pitch;
    strength.gain.setValueAtTime(volume, begin);
    strength.gain.exponentialRampToValueAtTime(.0001, begin + length);
    sound.connect(strength).connect(audio.destination);
    sound.start(begin);
    sound.stop(begin + length);
  };
  const sounds = {
    dice: (at) => [0, .07, .13, .22].forEach((t, n) => tone(190 + 60 * (n % 2), at + t, .05, .06, "square")),
    card: (at) => tone(620, at, .06, .05),
    walk: (at) => tone(110, at, .35, .12, "sawtooth"),
    turn: (at) => { tone(523, at, .18); tone(784, at + .12, .3); },
  };
  const hear = (name, delay) => {
    if (!wanted()) return;
    audio ||= new AudioContext();
    sounds[name]?.(delay / 1000);
  };

  const play = (motions) => {
    if (document.hidden) return;
    let at = 0;
    const moves = !still.matches;
    for (const { dice, lit, cards, walks, sound } of motions) {
      if (dice) { hear("dice", at); if (moves) tumble(at); at += 380; }
      if (lit && moves) glow(lit, at);
      if (walks) { hear("walk", at); if (moves) walk(walks, at); at += 300; }
      (cards || []).forEach((card, n) => { if (moves) fly(card, at + 60 * n); });
      if (cards?.length) { hear("card", at); at += 250; }
      if (sound) hear(sound, at);
    }
  };
  const show = (button) => {
    button.setAttribute("aria-pressed", wanted());
    button.classList.toggle("chosen", wanted());
  };
  new MutationObserver(() => document.querySelectorAll(".k-sound:not([data-known])").forEach((button) => {
    button.dataset.known = "";
    show(button);
  })).observe(document.documentElement, { childList: true, subtree: true });

  kibitz.motion = {
    play: (motions) => requestAnimationFrame(() => requestAnimationFrame(() => play(motions))),
    skip,
    flip: (button) => {
      localStorage.setItem("kibitz-sound", wanted() ? "off" : "on");
      show(button);
      hear("turn", 0);
    },
  };
})();
