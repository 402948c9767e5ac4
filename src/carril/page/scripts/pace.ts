// The pace of the others' moves: replays them one by one, as fast as the user has chosen.
// The server plays bots at once; the page shows the positions in between, and can always skip them.
import { refresh, table, where } from "./common";
import { latest } from "./history";
import { setting } from "./settings";

export interface Moved {
  by?: string;
  version?: number;
  head?: number;
  acting?: string | null;
}

const PAUSES: Record<string, number> = { half: 500, two: 2000, step: Infinity };
let running = false;
let head = 0; // the latest position that the page knows of
let turn = ""; // whose turn it is there
let shown = 0; // when a move of somebody else was last shown; 0 after the user's own
let goOn: (() => void) | null = null;

function mine(player: string): boolean {
  const players = JSON.parse(document.getElementById("moment")?.dataset.mine ?? "[]") as string[];
  return players.includes(player);
}

// Whether a move is shown at the chosen pace: one of somebody else, while the page shows now.
export function isPaced(moved: Moved = {}): boolean {
  if (mine(moved.by ?? "")) return false;
  return setting("pace") in PAUSES && !where().fork && (running || where().now);
}

export function isReplaying(): boolean {
  return running;
}

// Shows a move of somebody else, and all that follow, at the chosen pace.
export function replay(moved: Moved): void {
  head = Math.max(head, moved.head ?? 0);
  turn = moved.acting ?? "";
  if (running) tell();
  else void run();
}

async function run(): Promise<void> {
  running = true;
  while (running && where().at < head) {
    tell();
    await pause();
    if (!running) return;
    await refresh(where().at + 1);
    shown = performance.now();
    tell();
  }
  running = false;
  tell();
}

// Waits until the position has been seen for long enough, or until the user goes on.
function pause(): Promise<void> {
  const left = shown ? shown + (PAUSES[setting("pace")] ?? 0) - performance.now() : 0;
  return new Promise((resolve) => {
    goOn = resolve;
    if (left < 1e9) setTimeout(resolve, Math.max(0, left));
  });
}

export function stopReplay(): void {
  running = false;
  goOn?.();
  goOn = null;
  tell();
}

// Leaves the replay and shows the latest position.
export function skip(): void {
  stopReplay();
  latest();
}

function tell(): void {
  const bar = document.getElementById("replay")!;
  const behind = running && where().at < head;
  bar.hidden = !behind;
  document.body.classList.toggle("replaying", behind);
  const text = (mine(turn) ? bar.dataset.mine : bar.dataset.theirs)!;
  if (behind && mine(turn)) document.title = `● ${document.body.dataset.yourTurn} · ${table().dataset.title}`;
  document.getElementById("replay-what")!.textContent = text.replace("{at}", String(where().at)).replace("{head}", String(head));
}

export function startPace(): void {
  document.getElementById("replay")!.addEventListener("click", (event) => {
    const what = (event.target as Element).closest<HTMLElement>("[data-replay]")?.dataset.replay;
    if (what === "next") goOn?.();
    if (what === "now") skip();
  });
  document.body.addEventListener("carril:go", stopReplay);
  document.body.addEventListener("carril:parts", () => {
    if (where().acts) shown = 0;
  });
  document.body.addEventListener("carril:settings", () => {
    if (running && !isPaced()) skip();
    else goOn?.();
  });
}
