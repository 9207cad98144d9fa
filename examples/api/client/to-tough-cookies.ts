import { createCloudBrowser } from "@cloud-browser/client";
import { toToughCookies } from "@cloud-browser/client/cookies";

const response = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
const { cookies } = toToughCookies(response); // CookieJar.fromJSON(JSON.stringify({ cookies }))
console.log(cookies[0]?.key); // sid
