const input = { target: "openapi.json" };
const baseUrl = { getBaseUrlFromSpecification: true };

export default {
  recommended: { input, output: { target: "orval/index.ts", client: "fetch", baseUrl, urlEncodeParameters: true } },
  plain: { input, output: { target: "orval-plain/index.ts", client: "fetch" } },
};
