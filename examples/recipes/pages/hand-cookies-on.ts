// Hands the cookies of a session to Playwright, Puppeteer and curl: node hand-cookies-on.ts <session> cookies.txt
import { writeFile } from "node:fs/promises";
import { createCloudBrowser } from "@cloud-browser/client";
import { toCookiesTxt, toPlaywrightCookies, toPuppeteerCookies } from "@cloud-browser/client/cookies";

const [session = "", file = "cookies.txt"] = process.argv.slice(2);
const read = await createCloudBrowser().cookies(session);

const playwright = toPlaywrightCookies(read); // await context.addCookies(playwright.cookies)
const puppeteer = toPuppeteerCookies(read); // await browser.setCookie(...puppeteer.cookies)
const curl = toCookiesTxt(read); // curl -b cookies.txt https://…
await writeFile(file, curl.text, { mode: 0o600 }); // cookies are secrets

console.log(`Playwright ${playwright.cookies.length}, Puppeteer ${puppeteer.cookies.length}, curl: ${file}`);
for (const { reason, field, name } of curl.losses) console.log(`${reason}: ${field} of ${name}`); // never a value
