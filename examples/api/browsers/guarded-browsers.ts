import pino from "pino";
import { GuardedBrowsers } from "@cloud-browser/browsers";

await using closing = new AsyncDisposableStack();
const browsers = await GuardedBrowsers.start(
  {
    allow: ["127.0.0.1"],
    chromium: undefined, // the one that comes with npm
    contexts: 10,
    contextsPerBrowser: undefined,
    ownPort: 0,
    log: pino({ level: "silent" }),
  },
  closing,
);
const { context } = await browsers.open({});
console.log(context.pages().length); // 0
await browsers.checkUrl(new URL("http://169.254.169.254/")).catch((error) => console.log(error.code)); // address-refused
