// Requests that fail in the network or in the server: say so, and send an action again.
import { put, say } from "./common";

const WAITS = [500, 1000, 2000, 4000, 8000, 15000, 30000]; // milliseconds before each new attempt
const FAILED = 500; // the first status of an error of the server

interface Sent {
  path: string;
  verb: string;
  headers: Record<string, string>;
  body: URLSearchParams;
}

let latest: Sent | null = null; // the action that was sent last
let pending: Sent | null = null; // the action that is being sent again
let timer = 0;
let attempt = 0;

function text(name: string): string {
  return document.body.dataset[name] ?? "";
}

// A key by which the server recognizes an action that it has already carried out.
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isAction(path: string): boolean {
  return path.split("?")[0].endsWith("/act");
}

function fields(form: FormData): URLSearchParams {
  const found = new URLSearchParams();
  for (const [name, value] of form.entries()) found.append(name, String(value));
  return found;
}

// Every action gets a key. While one is being sent again, no other is sent.
function onRequest(event: Event): void {
  const detail = (event as CustomEvent).detail as {
    path: string;
    verb: string;
    headers: Record<string, string>;
    formData: FormData;
  };
  if (!isAction(detail.path)) return;
  if (pending) {
    event.preventDefault();
    say(text("resending"), "warn");
    return;
  }
  detail.headers["Idempotency-Key"] = newKey();
  latest = {
    path: detail.path,
    verb: detail.verb,
    headers: { ...detail.headers },
    body: fields(detail.formData),
  };
}

function onFailure(event: Event): void {
  const detail = (event as CustomEvent).detail as {
    pathInfo: { requestPath: string };
    xhr: XMLHttpRequest;
    target?: HTMLElement;
  };
  const status = detail.xhr.status;
  if (status && status < FAILED) return; // refused, and the response says why
  if (isAction(detail.pathInfo.requestPath) && latest) {
    pending = latest;
    attempt = 0;
    later();
  } else if (!explained(detail.xhr, detail.target)) say(text("failed"), "bad");
}

// Whether the response itself says what went wrong, as a notice or on a form.
function explained(xhr: XMLHttpRequest, target?: HTMLElement): boolean {
  return xhr.responseText.includes("hx-swap-oob") || (xhr.status > 0 && (target?.id ?? "").startsWith("error-"));
}

function later(): void {
  if (attempt >= WAITS.length) {
    offer();
    return;
  }
  say(text("resending"), "warn");
  timer = window.setTimeout(() => void again(), WAITS[attempt]);
  attempt += 1;
}

// Sends the pending action again with the same key, so that it is carried out once.
async function again(): Promise<void> {
  clearTimeout(timer);
  if (!pending) return;
  const headers = { ...pending.headers, "Content-Type": "application/x-www-form-urlencoded" };
  try {
    const answer = await fetch(pending.path, { method: "POST", headers, body: pending.body });
    if (answer.status >= FAILED) throw new Error(String(answer.status));
    pending = null;
    say("");
    put(await answer.text());
  } catch {
    later();
  }
}

// After the last attempt the player decides when to try again.
function offer(): void {
  say(text("unsent"), "bad");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "choice";
  button.textContent = text("tryAgain");
  button.addEventListener("click", () => {
    attempt = 0;
    void again();
  });
  document.getElementById("notice")?.append(button);
}

export function startNetwork(): void {
  const body = document.body;
  body.addEventListener("htmx:configRequest", onRequest);
  for (const kind of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) body.addEventListener(kind, onFailure);
  addEventListener("online", () => void again());
}
