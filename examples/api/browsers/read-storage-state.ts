import { BrowserPool, readStorageState } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const pooled = await pool.open();
await pooled.context.addCookies([{ name: "member", value: "m3", url: "https://ferries.example/" }]);
const { state } = await readStorageState(pooled, ["https://ferries.example"], { databaseBytes: 1_000_000 });
console.log(state.cookies.map(({ name }) => name)); // [ 'member' ]
await pool.close();
