import { fromCookieHeader } from "@cloud-browser/client/cookies";

const { cookies, losses } = fromCookieHeader("language=en; member=m3", "https://ferries.example/piers");
console.log(cookies.map(({ name, domain }) => `${name} of ${domain}`).join(", ")); // language of ferries.example, member of ferries.example
console.log(losses[0]?.reason); // assumed
