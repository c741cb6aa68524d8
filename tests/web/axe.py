"""What axe-core, and a ruler, find wrong with a page as it is shown now."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

#: The side that a finger needs, in pixels (WCAG 2.2, 2.5.8).
FINGER = 24
_RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.filter((one) => ["serious", "critical"].includes(one.impact)).flatMap((one) =>
    one.nodes.map((node) => `${one.impact} ${one.id}: ${node.target.join(" ")} ${node.any.concat(node.all).map((a) => a.message).join("; ")}`));
}"""
#: What can be pressed and is smaller than a finger, unless it stands in a line of text, or nothing else is near (both may be).
_SMALL = """(finger) => {
  const all = [...document.querySelectorAll("a[href], button, input, select, summary, textarea, [role=button], [role=switch], [tabindex='0']")];
  const boxes = all.map((one) => [one, one.getBoundingClientRect()]).filter(([one, box]) =>
    box.width > 0 && box.height > 0 && one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest("[inert], .hidden-visually, .paste-upload, .skip, .q-field__native, .q-toggle, .q-field") );
  const inText = (one) => one.matches("p a, li a, td a, .note a");
  return boxes.filter(([one, box]) => Math.min(box.width, box.height) < finger - 0.5 && !inText(one)).map(([one, box]) =>
    `${one.tagName.toLowerCase()}.${one.className} ${JSON.stringify(one.innerText || one.ariaLabel)} is ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`);
}"""


@cache
def _source() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def obstacles(page: Page) -> list[str]:
    """What is serious or critical, and on a phone also what is too small for a finger."""
    page.evaluate(_source())
    found = page.evaluate(_RUN)
    phone = page.evaluate("innerWidth < 600")
    return [*found, *(page.evaluate(_SMALL, FINGER) if phone else [])]
