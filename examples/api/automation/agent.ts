import { Agent, defaultAgentLimits } from "@cloud-browser/automation";
import { createModel } from "@cloud-browser/page-content";

const model = createModel({
  baseUrl: "https://models.example/v1",
  name: "small-model",
  prices: { input: "0.15", cachedInput: "0.08", cacheWrite: "0.15", output: "0.60" },
});
const agent = new Agent({ model, limits: { ...defaultAgentLimits, budgetUsd: "0.50" } });
// await agent.work("Find the next ferry from pier 3.", workplace) performs it, as a Planner does.
console.log(agent.cost()); // 0
