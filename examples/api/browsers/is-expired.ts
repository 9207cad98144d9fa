import { isExpired } from "@cloud-browser/browsers";

console.log(isExpired({ expires: Date.now() / 1_000 - 1 }, Date.now())); // true
console.log(isExpired({ expires: -1 }, Date.now())); // false
