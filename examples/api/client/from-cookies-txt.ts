import { fromCookiesTxt } from "@cloud-browser/client/cookies";

const file = "# Netscape HTTP Cookie File\nferries.example\tFALSE\t/\tTRUE\t0\tsid\ta secret\nnot a cookie\n";
const { cookies, losses } = fromCookiesTxt(file);
console.log(cookies[0]?.name, losses[0]?.reason, losses[0]?.at); // sid skipped 3
