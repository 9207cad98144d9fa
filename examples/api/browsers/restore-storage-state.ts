import { BrowserPool, restoreStorageState } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const pooled = await pool.open();
const cookie = { name: "member", value: "m3", domain: "ferries.example", path: "/" };
const state = { cookies: [{ ...cookie, expires: -1, httpOnly: true, secure: true }], origins: [] };
await restoreStorageState(pooled, state, Date.now());
console.log((await pooled.context.cookies("https://ferries.example/")).length); // 1
await pool.close();
