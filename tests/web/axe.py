"""What axe-core, and a ruler, find wrong with a page as it is shown now."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page, expect

from tests.web.driver import DESKTOP, PHONE, resize

#: The side that a finger needs, in pixels (WCAG 2.2, 2.5.8).
FINGER = 24
_RUN = """async (part) => {
  const modal = document.querySelector("[role=dialog][aria-modal=true]"); // what it covers cannot be judged
  const flat = document.createElement("style"); // axe misjudges what a z-index in a flex box lies on: the words of a button
  flat.textContent = ".q-btn__content { z-index: auto !important; }";
  document.head.append(flat);
  const { violations } = await axe.run(modal ?? part ?? document, { resultTypes: ["violations"] });
  flat.remove();
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).flatMap(({ impact, id, nodes }) =>
    nodes.map(({ target, any }) => `${impact} ${id}: ${target.join(" ")} ${any.map((a) => a.message).join("; ")}`));
}"""
#: Whether nothing fades in or out any more: what is half transparent would be judged as it will not stay.
_STILL = """() => !document.querySelector("[class*='-enter-active'], [class*='-leave-active']")
  && document.getAnimations().every(({ playState, effect }) =>
    playState !== "running" || effect.getComputedTiming().iterations === Infinity)"""
#: What can be pressed and is smaller than a finger, unless it stands in a line of text.
_SMALL = """(finger) => {
  const pressed = "a[href], button, input, select, summary, textarea, [role=button], [role=switch], [tabindex='0']";
  const apart = "[inert], .hidden-visually, .skip, .q-toggle, .q-field, p a, li a, td a, .note a";
  const found = [...document.querySelectorAll(pressed)].filter((one) => !one.closest("[inert]") && !one.matches(apart)
    && !one.closest(".q-toggle, .q-field") && one.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  return found.map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && box.height > 0 && Math.min(box.width, box.height) < finger - 0.5)
    .map(([one, box]) => `${one.tagName}.${one.className} ${one.innerText || one.ariaLabel}: ${box.width} x ${box.height}`);
}"""


@cache
def _source() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def obstacles(page: Page, part: str | None = None) -> list[str]:
    """What is serious or critical, and on a phone also what is too small for a finger.

    With the selector of a `part`, axe judges that alone: a state that changes one part of a page that was judged before.
    """
    page.wait_for_function(_STILL)
    if page.evaluate("!window.axe"):
        page.evaluate(_source())
    assert part is None or page.locator(part).count(), f"there is no {part}"
    found: list[str] = page.evaluate(_RUN, part)
    return [*found, *(page.evaluate(_SMALL, FINGER) if page.evaluate("innerWidth < 600") else [])]


def nothing_in_the_way(page: Page, part: str | None = None) -> None:
    """Nothing is in anybody's way now, on a desk in the light and on a phone in the dark; perhaps in a part of the page."""
    for size, dark in ((DESKTOP, False), (PHONE, True)):
        resize(page, size, dark)
        page.wait_for_function("width => innerWidth === width", arg=size[0])
        expect(page.locator("html")).to_have_attribute("data-theme", "dark" if dark else "light")
        found = obstacles(page, part)
        assert found == [], "\n".join(found)
