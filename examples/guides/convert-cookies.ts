import { createCloudBrowser } from "@cloud-browser/client";
import { toCookieHeader, toCookiesTxt, toPlaywrightCookies } from "@cloud-browser/client/cookies";

const read = await createCloudBrowser().cookies("s1");
const { cookies, losses } = toPlaywrightCookies(read); // context.addCookies(cookies)
console.log(cookies.length, losses); // what had to be left out or inferred
console.log(toCookiesTxt(read).text.split("\n").length); // curl -b cookies.txt
console.log(toCookieHeader(read, "https://ferries.example/").header.length);
