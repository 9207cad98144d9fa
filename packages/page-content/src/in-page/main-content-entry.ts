import { findMainContent } from "./main-content/main-content.ts";
import type { PageReader } from "./page-reader.ts";

/** The reader that `entry.ts` has installed: this script is only for requests that need it, because it is large. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the other script defines it
const { reader } = Reflect.get(globalThis, "cloudBrowserPage") as { readonly reader: PageReader };

reader.findMainContent = findMainContent;
