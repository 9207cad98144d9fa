import { fromPuppeteerCookies } from "@cloud-browser/client/cookies";

// await browser.cookies()
const read = [{ name: "sid", value: "a secret", domain: "ferries.example", path: "/", expires: -1, secure: true }];
const { cookies } = fromPuppeteerCookies(read);
console.log(cookies[0]?.name, cookies[0]?.secure); // sid true
