/** Scrapes of a page that the suite does not know, made without HTTP, and what the checks say of a server that makes them. */
import { isolatingTargetPageProbes } from "../../src/checks/target-page/defaults.ts";
import { checksOnTargetPage, withTargetPage } from "../../src/checks/target-page/target-page-checks.ts";
import { listTargetPageProbes } from "../../src/checks/target-page/target-page-probes.ts";
import { pageChecks } from "../../src/checks/pages/page-checks.ts";
import { relationChecks } from "../../src/checks/relations/relation-checks.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import type { Probe } from "../../src/http/probe.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { Browser } from "../pages/browser.ts";
import { parsePage } from "../pages/dom.ts";
import { judgeScrapes, scrapeWithoutHttp, type PageVerdict } from "../pages/scrapes-without-http.ts";
import type { Twist } from "../pages/site-server.ts";

/** A page with everything that options are about. */
export const wholePage = `<!doctype html><html><head><title>Island hopping</title></head><body>
<nav><ul><li><a href="/routes">Every route we sail</a></li><li><a href="/harbours">Harbours and piers</a></li></ul></nav>
<main><h1>Island hopping for beginners</h1>
<p>Take the slow boat in the morning, when the sea is flat and the cormorants dry their wings on the buoys.
Read <a href="https://tides.example/tables?month=6">what the tide tables say</a> before, and <a href="packing">pack a warm jumper</a>.</p>
<img src="img/boat.jpg" alt="A white boat leaving"><img src="img/gull.png" alt="Two gulls arguing">
<h2>Timetable and fares</h2>
<table><tr><th>Weekday departure</th><th>Price</th></tr><tr><td>Noon sailing</td><td>Seven crowns</td></tr></table>
<ul><li>Bicycles travel free</li><li>Dogs need muzzles</li></ul>
<form action="/book"><label>Passenger surname <input name="who"></label><button>Reserve berth immediately</button></form></main>
<footer><p>Imprint, privacy policy and lost property office</p></footer></body></html>`;

/** A page that has nothing but text. */
export const barePage = `<html><body><p>Nothing to see here but some words in a row, and a few more of them.</p></body></html>`;

const target = liveTarget({ baseUrl: "http://127.0.0.1", apiKey: "key", sessionId: "open" });
const checks = [...pageChecks, ...relationChecks]
  .filter(({ id }) => checksOnTargetPage.includes(id))
  .map(withTargetPage);

function browserOn(source: string): Browser {
  const browser = new Browser();
  browser.source = source;
  browser.document = parsePage(source);
  browser.url = "https://harbour.example/guide/";
  return browser;
}

/** The scrapes that the suite makes of a page, by a server with a twist. */
function collectExchanges(twist: Twist, source = wholePage): Map<string, Exchange> {
  const browser = browserOn(source);
  const answer = (probe: Probe): Exchange => {
    const exchange = scrapeWithoutHttp(probe, target, browser, twist);
    browser.runTimers();
    return exchange;
  };
  const run = new Map(listTargetPageProbes(1).map((probe) => [probe.id, answer(probe)]));
  for (const probe of isolatingTargetPageProbes(run)) run.set(probe.id, answer(probe));
  return run;
}

/** Judges a server on a page. */
export const judgeOn = (twist: Twist, source = wholePage): PageVerdict =>
  judgeScrapes(checks, target, collectExchanges(twist, source));

/** Ids of all checks that the page of a target may be judged by. */
export const checkIds: readonly string[] = checks.map(({ id }) => id);
