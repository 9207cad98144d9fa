import { jsonSchema, tool, type Tool, type ToolSet } from "ai";
import { createTools, type PlainToolResult, type PlainTool, type PlainToolsOptions } from "../plain/create-tools.ts";

/** Options of tools for the AI SDK. */
export interface AiToolsOptions extends PlainToolsOptions {
  /** Called with progress messages during a call. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/**
 * Creates the tools for the AI SDK: for `tools` of `generateText`, `streamText` and agents. A tool that starts billed runs needs an approval each time,
 * in the way of the AI SDK, unless `billed-runs` is allowed or `confirm` is given. Sends nothing.
 *
 * @throws {TypeError} when an option can't be used.
 * @throws {ClientError} `misuse` when the key or the base URL is missing or can't be used.
 *
 * @example
 * ```ts from=examples/api/agent-tools/create-ai-tools.ts
 * import { createAiTools } from "@cloud-browser/agent-tools/ai-sdk";
 * import { isStepCount, ToolLoopAgent, type LanguageModel } from "ai";
 *
 * const tools = createAiTools({ confirm: (question) => question.includes("ferries.example") });
 * const createAgent = (model: LanguageModel): object => new ToolLoopAgent({ model, tools, stopWhen: isStepCount(20) });
 * console.log(createAgent.name, "scrape" in tools); // createAgent true
 * ```
 */
export function createAiTools({ onProgress, ...options }: AiToolsOptions = {}): ToolSet {
  const asksBySdk = options.confirm === undefined && options.allow?.includes("billed-runs") !== true;
  // It has been approved when it is executed.
  const tools = createTools(asksBySdk ? { ...options, confirm: () => true } : options);
  return Object.fromEntries(tools.map((plain) => [plain.name, aiTool(plain, plain.isBilled && asksBySdk, onProgress)]));
}

function aiTool(
  { description, title, inputSchema, call }: PlainTool,
  needsApproval: boolean,
  onProgress: ((message: string) => void) | undefined,
): Tool<unknown, PlainToolResult> {
  return tool({
    description,
    title,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a JSON Schema of draft 7, too
    inputSchema: jsonSchema(inputSchema as unknown as Parameters<typeof jsonSchema>[0]),
    needsApproval,
    execute: (args: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
      call(args, { signal: abortSignal, onProgress }),
    toModelOutput: ({ output }: { output: PlainToolResult }) =>
      ({ type: output.isError ? "error-text" : "text", value: output.text }) as const,
  });
}
