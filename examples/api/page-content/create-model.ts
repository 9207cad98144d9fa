import { createModel } from "@cloud-browser/page-content";

const model = createModel({
  baseUrl: "https://models.example/v1",
  apiKey: process.env["MODEL_API_KEY"] ?? "",
  name: "small-model",
  prices: { input: "0.15", cachedInput: "0.08", cacheWrite: "0.15", output: "0.60" }, // USD per million tokens
});
console.log(model.name, model.limits.timeMs); // small-model 60000
