// A new decision is read from the top of the panel, however far the one before was scrolled.
import { where } from "./common";

let shown = "";

function fromTheTop(): void {
  const here = where();
  const position = `${here.fork}/${here.at}`;
  if (position !== shown) document.querySelector(".side-act")?.scrollTo(0, 0);
  shown = position;
}

export function startPanel(): void {
  document.body.addEventListener("carril:parts", fromTheTop);
  fromTheTop();
}
