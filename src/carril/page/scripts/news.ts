// What is new: outlines on the map and the market, local times in the log, unread chat.
import htmx from "htmx.org";
import { table } from "./common";

interface Fresh {
  tiles: string[];
  tokens: [string, string][];
  prices: Record<string, [number, number]>;
}

const SVG = "http://www.w3.org/2000/svg";

// Outlines what others have changed until the user acts.
function outline(): void {
  for (const old of document.querySelectorAll(".fresh-mark")) old.remove();
  for (const old of document.querySelectorAll(".fresh")) old.classList.remove("fresh");
  const text = document.getElementById("moment")?.dataset.fresh;
  if (!text) return;
  const fresh = JSON.parse(text) as Fresh;
  for (const id of new Set(fresh.tiles)) outlineHex(id);
  for (const [hex, company] of fresh.tokens) {
    const at = `#map .stops [data-company="${CSS.escape(company)}"][data-token^="${hex}."]`;
    for (const token of document.querySelectorAll(at)) outlineToken(token);
  }
  for (const company of Object.keys(fresh.prices)) {
    const marker = document.querySelector(`.carril-market .markers [data-company="${CSS.escape(company)}"]`);
    if (marker) outlineToken(marker);
    document.querySelector(`.card[data-company="${CSS.escape(company)}"] .price`)?.classList.add("fresh");
  }
}

function outlineHex(id: string): void {
  const shape = document.querySelector(`#map .ground [data-hex="${CSS.escape(id)}"] use`);
  const layer = document.querySelector("#map .ground")?.parentElement;
  if (!shape || !layer) return;
  const mark = shape.cloneNode() as SVGUseElement;
  mark.removeAttribute("tabindex");
  mark.setAttribute("class", "fresh-mark fresh-tile");
  mark.setAttribute("data-fresh", id);
  layer.append(mark);
}

function outlineToken(token: Element): void {
  const shape = token.querySelector("use");
  const mark = document.createElementNS(SVG, "circle");
  mark.setAttribute("cx", shape?.getAttribute("x") ?? "0");
  mark.setAttribute("cy", shape?.getAttribute("y") ?? "0");
  mark.setAttribute("r", "30");
  mark.setAttribute("class", "fresh-mark fresh-token");
  token.append(mark);
}

// Writes the times of the log in the time zone of the browser.
function localTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("#talk time:not([data-local])")) {
    const moment = new Date(time.dateTime);
    time.dataset.local = "";
    time.title = moment.toLocaleString(document.documentElement.lang);
    time.textContent = moment.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
  }
}

// Marks the chat with the number of remarks of others that have not been seen.
function countUnread(): void {
  const key = `carril-chat-${table().dataset.game}`;
  const chat = document.querySelector<HTMLElement>("#part-chat .chat");
  const remarks = [...document.querySelectorAll<HTMLElement>("#part-chat [data-number]")];
  if (!document.getElementById("view-chat")!.hidden && remarks.length) {
    const last = remarks.at(-1)!.dataset.number!;
    localStorage.setItem(key, last);
    markRead(chat, Number(last));
  }
  const seen = Math.max(Number(localStorage.getItem(key) ?? 0), Number(chat?.dataset.read ?? 0));
  const unread = remarks.filter((one) => Number(one.dataset.number) > seen && one.dataset.own === undefined).length;
  for (const mark of document.querySelectorAll<HTMLElement>("#unread, [data-unread]")) {
    mark.hidden = !unread;
    mark.textContent = String(unread);
  }
}

let marked = 0; // the last remark that the server was told of

// Lets the server remember how far a player has read, for their other devices and the lobby.
function markRead(chat: HTMLElement | null, last: number): void {
  if (!chat?.dataset.mark || last <= Math.max(marked, Number(chat.dataset.read))) return;
  marked = last;
  void htmx.ajax("post", chat.dataset.mark, { values: { number: last }, source: "#part-chat", swap: "none" });
}

// On a phone the card is folded until the user opens it.
function unfold(open: boolean): void {
  document.body.classList.toggle("news-open", open);
  document.querySelector("[data-unfold-news]")?.setAttribute("aria-expanded", String(open));
}

let told = ""; // what the card told when it was last scrolled

// What happened last, such as the end of a round, is at the end of the card.
function toTheEnd(): void {
  const card = document.querySelector<HTMLElement>(".news-card");
  const text = card?.textContent ?? "";
  if (card && text !== told) card.scrollTop = card.scrollHeight;
  told = text;
}

function show(): void {
  unfold(document.body.classList.contains("news-open"));
  toTheEnd();
  outline();
  localTimes();
  countUnread();
}

export function startNews(): void {
  document.body.addEventListener("carril:parts", show);
  document.body.addEventListener("htmx:afterSettle", localTimes);
  document.body.addEventListener("carril:loaded", localTimes);
  document.addEventListener("click", (event) => {
    if ((event.target as Element).closest("[data-unfold-news]")) unfold(!document.body.classList.contains("news-open"));
    if (document.body.classList.contains("news-open")) toTheEnd();
  });
  document.getElementById("tab-chat")!.addEventListener("click", () => setTimeout(countUnread));
  show();
}
