// The scripts of the page, for interaction that the server cannot handle.
import "htmx.org";
import { startCopying } from "./copying";
import { startLive } from "./live";
import { startLobby } from "./lobby";
import { startMap } from "./map";
import { startHexes } from "./hexes";
import { startHistory } from "./history";
import { startNetwork } from "./network";
import { startOwnRun } from "./own_run";
import { startPage } from "./page";
import { startQuestions } from "./questions";
import { startStudy } from "./study";
import { startTabs } from "./tabs";

startPage();
startNetwork();
startQuestions();
startCopying();
startLobby();
if (document.getElementById("table")) {
  startTabs();
  startMap();
  startHexes();
  startOwnRun();
  startHistory();
  startStudy();
  startLive();
}
