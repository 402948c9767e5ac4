// Returns what is wrong with the table that is shown, one line for each fault.
({ text, touch, panel }) => {
  const found = [];
  const phone = innerWidth < 760;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const name = (e) => (e.innerText || e.ariaLabel || String(e.className)).trim().slice(0, 40);
  const shown = (e) => e.getClientRects().length > 0;

  // Why somebody cannot see an element without scrolling, or "".
  function hidden(element) {
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) return "has no size";
    if (box.left < -1 || box.right > innerWidth + 1) return "is cut off at the side";
    if (box.top < -1 || box.bottom > innerHeight + 1) return "is not on the screen";
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return element.contains(top) ? "" : `is covered by ${top?.className || top?.tagName}`;
  }

  function mainButtons() {
    const wanted = all("#sentence, .main-acts button, .history input");
    const first = document.querySelector(
      ".panel-body button[data-kind], .panel-body [data-open-hex], .panel-body form.start button",
    );
    const primary = document.querySelector(".main-acts .primary");
    if (first && !primary && !phone && !first.closest("details:not([open])")) wanted.push(first);
    if (!phone) wanted.push(...all(".player.acting header, #tab-log"));
    for (const e of wanted) if (hidden(e)) found.push(`not visible: ${name(e)} ${hidden(e)}`);
  }

  function onePrimary() {
    const count = all("#part-panel .choice.primary").filter(shown).length;
    if (count > 1) found.push(`${count} primary buttons`);
  }

  // Stacked choices have the same width.
  function equalWidths() {
    for (const group of all("#part-panel .choices")) {
      const widths = [...group.children].filter((e) => e.matches(".choice") && shown(e)).map((e) => e.offsetWidth);
      if (Math.max(...widths) - Math.min(...widths) > 2) found.push(`unequal widths: ${widths}`);
    }
  }

  function clipped() {
    if (document.documentElement.scrollWidth > innerWidth + 1) found.push("the page scrolls sideways");
    const texts = "#main button, #main .facts, #main .choice-label, #main dd, #main h2, #main h3";
    for (const e of all(texts)) {
      const style = getComputedStyle(e);
      if (!shown(e) || style.textOverflow === "ellipsis") continue;
      if (e.closest(".visually-hidden, svg, .scroll-x, .tabs, .line-tools")) continue;
      if (e.scrollWidth > e.clientWidth + 2 && e.clientWidth && style.overflowX !== "visible")
        found.push(`clipped: ${name(e)}`);
      const side = e.closest(".side-act, .side-people");
      if (side && e.getBoundingClientRect().right > side.getBoundingClientRect().right + 2)
        found.push(`runs out of its box: ${name(e)}`);
    }
  }

  // Text on the map is measured with the map; this is the text of the page.
  function smallText() {
    const small = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const e = walker.currentNode.parentElement;
      const words = walker.currentNode.data.trim();
      if (!words || !e || !shown(e) || e.closest("svg, .visually-hidden, script")) continue;
      const size = parseFloat(getComputedStyle(e).fontSize);
      if (size && size < text) small.add(`small text: ${size} px: ${words.slice(0, 30)}`);
    }
    found.push(...small);
  }

  function smallTargets() {
    const targets = "#part-panel :is(button, select, summary), #part-bar :is(button, a), .thumb-bar a, .map-tools button";
    for (const e of all(targets)) {
      const box = e.getBoundingClientRect();
      if (box.width && (box.height < touch - 0.5 || box.width < touch - 0.5))
        found.push(`small target: ${Math.round(box.width)}x${Math.round(box.height)}: ${name(e)}`);
    }
  }

  if (panel) mainButtons();
  onePrimary();
  equalWidths();
  clipped();
  smallText();
  if (touch) smallTargets();
  return found;
}
