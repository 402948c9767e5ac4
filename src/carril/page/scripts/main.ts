// The scripts of the page, for interaction that the server cannot handle.
import "htmx.org";
import { startLive } from "./live";
import { startLobby } from "./lobby";
import { startMap } from "./map";
import { startHexes } from "./hexes";
import { startHistory } from "./history";
import { startOwnRun } from "./own_run";
import { startPage } from "./page";
import { startKeys } from "./keys";
import { startNews } from "./news";
import { startPace } from "./pace";
import { startSettings } from "./settings";
import { startTabs } from "./tabs";

startPage();
startLobby();
startSettings();
if (document.getElementById("table")) {
  startTabs();
  startMap();
  startHexes();
  startOwnRun();
  startHistory();
  startNews();
  startPace();
  startKeys();
  startLive();
}
