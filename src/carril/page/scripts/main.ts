// The scripts of the page, for interaction that the server cannot handle.
import "htmx.org";
import { startClock } from "./clock";
import { startCities } from "./cities";
import { startCopying } from "./copying";
import { startDownloads } from "./download";
import { startLive } from "./live";
import { startLobby } from "./lobby";
import { startMap } from "./map";
import { startHexes } from "./hexes";
import { startHistory } from "./history";
import { startNetwork } from "./network";
import { startOwnRun } from "./own_run";
import { startPage } from "./page";
import { startKeys } from "./keys";
import { startNews } from "./news";
import { startPace } from "./pace";
import { startPanel } from "./panel";
import { startPush } from "./push";
import { startQuestions } from "./questions";
import { startSettings } from "./settings";
import { startSheet } from "./sheet";
import { startStudy } from "./study";
import { startTabs } from "./tabs";

startPage();
startNetwork();
startQuestions();
startCopying();
startLobby();
startSettings();
startDownloads();
startPush();
if (document.getElementById("table")) {
  startTabs();
  startSheet();
  startPanel();
  startMap();
  startHexes();
  startCities();
  startOwnRun();
  startHistory();
  startStudy();
  startNews();
  startPace();
  startKeys();
  startLive();
  startClock();
}
