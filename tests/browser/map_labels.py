"""Overlaps on the map, measured in the browser: what is written there, and what it covers."""

from __future__ import annotations

from math import hypot

from playwright.sync_api import Page

# What is written on the map, with the letters' own height instead of the height of the line, and
# what a text must not cover: tokens, circles, strips of revenue and other marks.
_MEASURE = r"""
() => {
  const svg = document.querySelector('#map > svg, svg.carril-map');
  const found = [];
  const add = (element, kind, at, round) => {
    const box = element.getBoundingClientRect();
    const cut = kind === 'text' ? [0.22, 0.2] : [0, 0];
    found.push({
      kind, at, round: !!round, words: element.textContent.trim().slice(0, 40),
      x: box.left, y: box.top + box.height * cut[0],
      w: box.width, h: box.height * (1 - cut[0] - cut[1]),
    });
  };
  const place = (element) => {
    const marked = element.closest('[data-name],[data-revenue],[data-label],[data-goal],'
      + '[data-cost],[data-consent],[data-side],[data-piece],[data-home],[data-token]');
    if (!marked) return ['', ''];
    for (const [key, value] of Object.entries(marked.dataset)) {
      if (['name', 'revenue', 'label', 'goal', 'cost', 'consent', 'side', 'piece', 'home', 'token']
          .includes(key)) return [key, value];
    }
  };
  // The number of a city that can be chosen is drawn on its circle on purpose.
  for (const text of svg.querySelectorAll('.marks text, .stops :not(.city-number) > text')) {
    const [key, value] = place(text);
    if (key !== 'home') add(text, 'text', `${key} ${value}`);
  }
  for (const box of svg.querySelectorAll('.marks rect:not(.cube), .marks use, .marks path.mark')) {
    const [key, value] = place(box);
    add(box, 'strip', `${key} ${value}`);
  }
  for (const disc of svg.querySelectorAll('.marks circle.disc')) {
    const [key, value] = place(disc);
    add(disc, 'disc', `${key} ${value}`, true);
  }
  for (const slot of svg.querySelectorAll('.stops :is(circle.slot, .token, circle.disc)')) {
    const stop = slot.closest('[data-stop], [data-token]');
    const name = stop?.dataset.stop ?? stop?.dataset.token ?? '';
    add(slot, 'circle', `circle ${name}`, true);
  }
  for (const town of svg.querySelectorAll('.stops .town')) {
    add(town, 'circle', `town ${town.closest('[data-stop]').dataset.stop}`);
  }
  return { found, scale: svg.getScreenCTM().a };
}
"""

Thing = dict[str, float | str | bool]


def overlaps(page: Page, least: float = 0.5) -> list[str]:
    """Return what covers what on the map that a page shows, if by more than this many pixels."""
    measured = page.evaluate(_MEASURE)
    things: list[Thing] = measured["found"]
    assert things, "there is nothing on the map"
    return [
        f"{a['at']} “{a['words']}” and {b['at']} “{b['words']}”"
        for index, a in enumerate(things)
        for b in things[index + 1 :]
        if _conflict(a, b) and _depth(a, b) > least
    ]


def _conflict(a: Thing, b: Thing) -> bool:
    """Return whether two things may not overlap: they are separate, and one of them is a mark."""
    if a["at"] == b["at"]:
        return False
    return "circle" not in (a["kind"], b["kind"]) or a["kind"] != b["kind"]


def _depth(a: Thing, b: Thing) -> float:
    """Return how deeply two boxes or discs overlap, in pixels; 0 or less if they do not."""
    ax, ay, aw, ah = (float(a[key]) for key in "xywh")
    bx, by, bw, bh = (float(b[key]) for key in "xywh")
    across = min(ax + aw, bx + bw) - max(ax, bx)
    down = min(ay + ah, by + bh) - max(ay, by)
    depth = min(across, down)
    for disc, other in ((a, b), (b, a)):
        if disc["round"] and depth > 0:
            depth = min(depth, _into_disc(disc, other))
    return depth


def _into_disc(disc: Thing, other: Thing) -> float:
    """Return how far a box or a disc reaches into a disc."""
    x, y = float(disc["x"]) + float(disc["w"]) / 2, float(disc["y"]) + float(disc["h"]) / 2
    left, top = float(other["x"]), float(other["y"])
    right, bottom = left + float(other["w"]), top + float(other["h"])
    radius = float(disc["w"]) / 2
    if other["round"]:
        apart = hypot(x - (left + right) / 2, y - (top + bottom) / 2)
        return radius + (right - left) / 2 - apart
    near = (max(left, min(x, right)), max(top, min(y, bottom)))
    return radius - hypot(x - near[0], y - near[1])
