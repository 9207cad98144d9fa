import { BrowserPool, PageTargets } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
const targets = new PageTargets(context);
const page = await context.newPage();
const devtools = await context.newCDPSession(page);
const { targetInfo } = await devtools.send("Target.getTargetInfo");
console.log((await targets.findPage(targetInfo.targetId)) === page); // true
await pool.close();
