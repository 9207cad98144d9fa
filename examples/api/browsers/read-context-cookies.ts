import { BrowserPool, readContextCookies } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const pooled = await pool.open();
await pooled.context.addCookies([{ name: "member", value: "m3", url: "https://ferries.example/" }]);
const cookies = await readContextCookies(pooled);
console.log(cookies.map(({ name, session }) => [name, session])); // [ [ 'member', true ] ]
await pool.close();
