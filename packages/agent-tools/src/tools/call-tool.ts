import { explainFailure } from "./explain-failure.ts";
import { readArguments } from "./read-arguments.ts";
import { renderResult, type RenderedResult } from "./render-result.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import type { Tool, ToolInvocation } from "./tool.ts";

/** Outcome of a call. */
export interface CalledTool extends RenderedResult {
  /** True when it failed: the text says what happened, and what to do. */
  readonly isError: boolean;
}

/**
 * Calls a tool with unchecked arguments. Never rejects: a failure is a result that says what to do.
 *
 * @param passes - returns whether a thrown value is the door's own, and is thrown on. Default: none is
 */
export async function callTool(
  environment: ToolEnvironment,
  tool: Tool,
  input: unknown,
  call: ToolInvocation,
  passes: (thrown: unknown) => boolean = () => false,
): Promise<CalledTool> {
  try {
    const result = await tool.run(environment, readArguments(tool, input), call);
    return { ...renderResult(result, environment.hide), isError: false };
  } catch (thrown) {
    if (passes(thrown)) throw thrown;
    const { message, pageText } = explainFailure(tool.name, thrown);
    const result = { facts: { error: message }, ...(pageText !== undefined && { pageText }) };
    return { ...renderResult(result, environment.hide), isError: true };
  }
}
