import { allTools } from "../tools/all-tools.ts";
import { callTool } from "../tools/call-tool.ts";
import { createToolEnvironment } from "../tools/tool-environment.ts";
import type { AgentToolsOptions } from "../tools/tool-settings.ts";
import type { FactValue, ObjectSchema, PersonReply, PersonQuestion, ToolHints } from "../tools/tool.ts";

/** Functions that reach the person behind an agent. */
export interface PersonCallbacks {
  /** Asks the person whether a billed run may be started. Default: runs are refused unless `billed-runs` is allowed. */
  readonly confirm?: ((message: string) => boolean | Promise<boolean>) | undefined;
  /** Opens an address, which is a secret, for the person; resolves with whether it was opened. Default: the result names the console. */
  readonly visit?: ((message: string, url: string) => boolean | Promise<boolean>) | undefined;
}

/** Options of plain tools. */
export interface PlainToolsOptions extends AgentToolsOptions, PersonCallbacks {
  /** False leaves out the tools that need `/control`, for services that have only the interface. Default: true. */
  readonly control?: boolean | undefined;
}

/** Options of a call. */
export interface PlainCallOptions {
  /** Cancels the call. A run that it has started continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called with progress messages. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** Result of a call. */
export interface PlainToolResult {
  /** All of it, as a model reads it: text of pages lies between marked lines. */
  readonly text: string;
  /** The result as an object: facts, and the marked text of pages as `page_text`. */
  readonly structured: Readonly<Record<string, FactValue>>;
  /** True when it failed: the text says what happened, and what to do. */
  readonly isError: boolean;
}

/** A tool for any model that takes JSON Schema. */
export interface PlainTool {
  /** Its name. */
  readonly name: string;
  /** A few words for people. */
  readonly title: string;
  /** Description for models. */
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: ObjectSchema;
  /** JSON Schema of `structured`. */
  readonly outputSchema: ObjectSchema;
  /** Hints about what it may change. */
  readonly annotations: ToolHints;
  /** True when a call starts a billed run. */
  readonly isBilled: boolean;
  /** Calls the tool with the arguments of a model, which are checked. Never rejects: a failure is a result. */
  readonly call: (args: unknown, options?: PlainCallOptions) => Promise<PlainToolResult>;
}

/**
 * Creates the tools for any model: the same that the MCP server has. Sends nothing.
 *
 * @throws {TypeError} when an option can't be used.
 * @throws {ClientError} `misuse` when the key or the base URL is missing or can't be used.
 *
 * @example
 * ```ts from=examples/api/agent-tools/create-tools.ts
 * import { createTools } from "@cloud-browser/agent-tools/json-schema";
 *
 * // Name, description and inputSchema are for the model; `control: false` for a service without /control.
 * const tools = createTools({ control: false });
 * const scrape = tools.find(({ name }) => name === "scrape");
 * const result = await scrape?.call({ session_id: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318" });
 * console.log(result?.isError, result?.text.includes("Harbour ferries")); // false true
 * ```
 */
export function createTools({
  confirm,
  visit,
  control = true,
  ...options
}: PlainToolsOptions = {}): readonly PlainTool[] {
  const environment = createToolEnvironment(options);
  const ask = async ({ kind, message, url = "", state }: PersonQuestion): Promise<PersonReply> => {
    const isAccepted = kind === "visit" ? await visit?.(message, url) : await confirm?.(message);
    return { action: isAccepted === true ? "accept" : "decline", state };
  };
  const canAsk = (kind: PersonQuestion["kind"]): boolean => (kind === "visit" ? visit : confirm) !== undefined;
  return allTools(environment.settings)
    .filter(({ needsControl }) => control || !needsControl)
    .map((tool): PlainTool => {
      const { name, title, description, inputSchema, outputSchema, hints, isBilled = false } = tool;
      return {
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        annotations: hints,
        isBilled,
        async call(args, { signal = new AbortController().signal, onProgress = () => undefined } = {}) {
          const call = { signal, progress: onProgress, answer: undefined, ask, canAsk };
          const { text, structured, isError } = await callTool(environment, tool, args, call);
          return { text, structured, isError };
        },
      };
    });
}
