// Live updates: actions of others, chat, undo requests, and whose turn it is.
import { put, refresh, revisions, say, table, where } from "./common";
import { isPaced, isReplaying, type Moved, replay, stopReplay } from "./pace";

let lost = false;
let announced = "";
let pushed = false; // whether the server sends the parts after each message

function listen(): void {
  const source = new EventSource(`${table().dataset.live!}&shown=${encodeURIComponent(revisions())}`);
  const news = (event: MessageEvent<string>): void => {
    const message = JSON.parse(event.data || "{}") as Moved & { name?: string; player?: string };
    // The user's own action is already on the page.
    if (event.type === "action" && message.version !== undefined && message.version <= where().version) return;
    if (event.type === "join") say(welcome(message.name ?? "", message.player ?? ""));
    if (event.type === "action" && isPaced(message)) replay(message);
    else if (event.type === "chat" && isReplaying()) void refresh(where().at);
    else {
      stopReplay();
      if (!pushed) void update();
    }
  };
  for (const kind of ["action", "undo", "redo", "keep", "request", "join", "leave", "seat", "status", "time", "pause", "resume", "chat"]) source.addEventListener(kind, news);
  source.addEventListener("mode", (event: MessageEvent<string>) => {
    pushed = event.data === "pushed";
  });
  source.addEventListener("parts", (event: MessageEvent<string>) => take(event.data));
  source.addEventListener("fetch", () => void update());
  source.addEventListener("open", () => {
    if (!lost) return;
    lost = false;
    say(document.body.dataset.back!);
    void update();
  });
  source.addEventListener("error", () => {
    lost = true;
    say(document.body.dataset.lost!, "warn");
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
}

// Parts that the server sends to those who only watch; somebody who looks at an earlier position keeps it.
function take(data: string): void {
  if (isReplaying()) return;
  if (where().now && !where().fork) put((JSON.parse(data) as { html: string }).html, true);
  else void update();
}

function welcome(name: string, player: string): string {
  const words = table().dataset;
  const said = name === player ? words.arrived! : words.joined!;
  return said.replace("{name}", name).replace("{player}", player);
}

let busy = false;
let again = false;

// One request at a time; updates that arrive meanwhile are handled together afterwards.
async function update(): Promise<void> {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    await refresh();
  } catch {
    // The stream reconnects automatically and asks again.
  }
  busy = false;
  if (again) {
    again = false;
    void update();
  }
}

// Announces the latest log entry and whose turn it is.
function announce(): void {
  const here = where();
  const title = table().dataset.title!;
  document.title = here.acts ? `● ${document.body.dataset.yourTurn} · ${title}` : title;
  const entry = document.querySelector("#part-log .entry .what")?.textContent?.trim() ?? "";
  const key = `${here.fork}/${here.at}/${entry}`;
  if (key !== announced && announced && here.now) {
    document.getElementById("news")!.textContent = entry;
    if (here.acts) alertTurn(title);
  }
  announced = key;
}

function alertTurn(title: string): void {
  if (document.hidden && "Notification" in window && Notification.permission === "granted") {
    new Notification(document.body.dataset.yourTurn!, { body: title, tag: title });
  }
  if (localStorage.getItem("carril-sound") === "on") chime();
}

function chime(): void {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.frequency.value = 660;
  gain.gain.setValueAtTime(0.08, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5);
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.5);
}

function startSwitches(): void {
  const sound = document.querySelector<HTMLElement>("[data-sound]");
  const show = (): void => sound?.setAttribute("aria-pressed", String(localStorage.getItem("carril-sound") === "on"));
  show();
  sound?.addEventListener("click", () => {
    const on = localStorage.getItem("carril-sound") !== "on";
    localStorage.setItem("carril-sound", on ? "on" : "off");
    show();
    if (on) chime();
    if (on && "Notification" in window && Notification.permission === "default") void Notification.requestPermission();
  });
}

export function startLive(): void {
  document.body.addEventListener("carril:parts", announce);
  announce();
  startSwitches();
  listen();
  // Back online or back in this tab: refresh immediately.
  addEventListener("online", () => void update());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !isReplaying()) void update();
  });
}
