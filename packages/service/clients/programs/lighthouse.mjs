// Lighthouse, on a page of Puppeteer.
import lighthouse from "lighthouse";
import { connect } from "puppeteer-25";
import { run, site, ws } from "./steps.mjs";

let page;
let scores;
await run({
  connect: async () => {
    const browser = await connect({ browserWSEndpoint: ws, defaultViewport: null });
    [page] = await browser.pages();
  },
  navigate: async () => {
    const result = await lighthouse(site, { logLevel: "silent" }, undefined, page);
    if (result.lhr.runtimeError) throw new Error(result.lhr.runtimeError.message);
    scores = result.lhr.categories;
  },
  emulate: async () => {
    if (typeof scores["accessibility"].score !== "number") throw new Error("no score for accessibility");
  },
  trace: async () => {
    if (typeof scores["performance"].score !== "number") throw new Error("no score for performance");
  },
});
