import { readTokens } from "@cloud-browser/page-content";

// `usage` of a result of the AI SDK
const inputTokenDetails = { noCacheTokens: 1_000, cacheReadTokens: 9_000, cacheWriteTokens: 0 };
const outputTokenDetails = { textTokens: 200, reasoningTokens: 0 };
const usage = { inputTokens: 10_000, outputTokens: 200, totalTokens: 10_200, inputTokenDetails, outputTokenDetails };
console.log(readTokens(usage)?.cachedInput); // 9000
