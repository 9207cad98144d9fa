import { fromToughCookies } from "@cloud-browser/client/cookies";

// jar.toJSON()
const jar = { cookies: [{ key: "sid", value: "a secret", domain: "ferries.example", path: "/", hostOnly: true }] };
const { cookies } = fromToughCookies(jar);
console.log(cookies[0]?.name, cookies[0]?.domain); // sid ferries.example
