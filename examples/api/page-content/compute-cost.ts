import { computeCost } from "@cloud-browser/page-content";

const tokens = { uncachedInput: 1_000, cachedInput: 9_000, cacheWrite: 0, output: 200 };
const prices = { input: "0.15", cachedInput: "0.08", cacheWrite: "0.15", output: "0.60" };
console.log(computeCost(tokens, prices).toString()); // 0.00099
