import { PageReader } from "./page-reader.ts";
import { mayGrow, waitUntilSettled } from "./settle.ts";

/** Name of the entry point, in an isolated world that no page can see. */
const name = "cloudBrowserPage";

Object.defineProperty(globalThis, name, {
  value: { reader: new PageReader(), mayGrow, settle: waitUntilSettled },
  configurable: true,
});
