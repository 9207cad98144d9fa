import { createCloudBrowser } from "@cloud-browser/client";
import { toPuppeteerCookies } from "@cloud-browser/client/cookies";

const response = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
const { cookies, losses } = toPuppeteerCookies(response); // await browser.setCookie(...cookies)
console.log(cookies[0]?.name, losses[0]?.reason); // sid assumed
