// The scripts of the page, for interaction that the server cannot handle.
import "htmx.org";
import { startLive } from "./live";
import { startLobby } from "./lobby";
import { startMap } from "./map";
import { startHexes } from "./hexes";
import { startHistory } from "./history";
import { startOwnRun } from "./own_run";
import { startPage } from "./page";
import { startPanel } from "./panel";
import { startSheet } from "./sheet";
import { startTabs } from "./tabs";

startPage();
startLobby();
if (document.getElementById("table")) {
  startTabs();
  startSheet();
  startPanel();
  startMap();
  startHexes();
  startOwnRun();
  startHistory();
  startLive();
}
