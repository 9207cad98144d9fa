// Stagehand 4 works by an extension that it loads into the browser.
import { localBrowser } from "@browserbasehq/stagehand-4";
import { run, ws } from "./steps.mjs";

await run({
  connect: async () => {
    await localBrowser.connect({ cdpUrl: ws });
  },
});
