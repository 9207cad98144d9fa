import { createAiTools } from "@cloud-browser/agent-tools/ai-sdk";
import { isStepCount, ToolLoopAgent, type LanguageModel } from "ai";

const tools = createAiTools({ confirm: (question) => question.includes("ferries.example") });
const createAgent = (model: LanguageModel): object => new ToolLoopAgent({ model, tools, stopWhen: isStepCount(20) });
console.log(createAgent.name, "scrape" in tools); // createAgent true
