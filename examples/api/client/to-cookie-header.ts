import { toCookieHeader } from "@cloud-browser/client/cookies";

const cookies = [
  { name: "language", value: "en", domain: ".ferries.example", path: "/" },
  { name: "member", value: "m3", domain: "other.example", path: "/" },
];
const { header } = toCookieHeader(cookies, "https://www.ferries.example/piers");
console.log(header); // language=en
