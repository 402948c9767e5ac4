// Subscribing this browser to push messages.
import { say } from "./common";

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

async function subscribe(button: HTMLElement): Promise<void> {
  const registered = await navigator.serviceWorker.register("/worker.js");
  const made = await registered.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(button.dataset.push!) });
  const keys = made.toJSON().keys!;
  const answer = await fetch("/api/push", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": button.dataset.csrf! },
    body: JSON.stringify({ endpoint: made.endpoint, key: keys.p256dh, auth: keys.auth }),
  });
  if (!answer.ok) throw new Error(String(answer.status));
}

export function startPush(): void {
  const button = document.querySelector<HTMLElement>("[data-push]");
  if (!button) return;
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    button.hidden = true;
    document.getElementById("no-push")!.hidden = false;
    return;
  }
  button.addEventListener("click", () => {
    subscribe(button).then(
      () => say(button.dataset.done!),
      () => say(button.dataset.failed!, "warn"),
    );
  });
}
