import { PageReader } from "./page-reader.ts";
import { mayGrow, settle } from "./settle.ts";

/** What the service calls in a page, under this name in a world of its own, which no page can see. */
const name = "cloudBrowserPage";

Object.defineProperty(globalThis, name, { value: { reader: new PageReader(), mayGrow, settle }, configurable: true });
