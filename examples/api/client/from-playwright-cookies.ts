import { fromPlaywrightCookies } from "@cloud-browser/client/cookies";

// await context.cookies(), or the storage state of a context
const storageState = {
  cookies: [{ name: "sid", value: "a secret", domain: "ferries.example", path: "/", expires: -1, secure: true }],
  origins: [],
};
const { cookies } = fromPlaywrightCookies(storageState);
console.log(cookies[0]?.name, cookies[0]?.hostOnly); // sid true
