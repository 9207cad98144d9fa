import type { FunctionRecord } from "./function-record.ts";
import { isName } from "../task/names.ts";
import type { Step, Variable } from "../task/step.ts";
import { listStepVariables } from "../task/step-variables.ts";
import { listVariables } from "../task/template.ts";
import { IdentifierScope } from "./identifiers.ts";
import { sourceParts, type SourcePart } from "./source-parts.ts";
import { writeAction, writeDialogAnswers, writeExtraction, writeTabStep } from "./step-source.ts";
import { writeLiteral, type Identifiers } from "./text-source.ts";
import { redactTask } from "../task/redact-task.ts";

/**
 * Exports a function as TypeScript for Playwright: one line for each step, values as parameters. It needs nothing but
 * a page. It locates elements by the first selector only, and heals no steps. After a step that opens a page it continues on that one.
 *
 * @example
 * ```ts from=examples/api/automation/write-function-source.ts
 * import { writeFunctionSource } from "@cloud-browser/automation";
 *
 * const source = writeFunctionSource({
 *   function_id: crypto.randomUUID(),
 *   function_name: "find_ferry",
 *   created_at: new Date().toISOString(),
 *   query: "Open the page of a pier.",
 *   steps: [{ action: "open", url: "https://ferries.example/piers/{{pier}}" }],
 *   variables: [{ name: "pier", value: "3" }],
 * });
 * console.log(source); // …export async function find_ferry(page: Page, { pier = "3" }…
 * ```
 */
export function writeFunctionSource(record: FunctionRecord): string {
  const parameters = listParameters(record);
  const scope = new IdentifierScope([...sourceNames, ...Object.keys(sourceParts)]);
  const name = scope.take(record.function_name);
  const identifiers: Identifiers = new Map(parameters.map((parameter) => [parameter.name, scope.take(parameter.name)]));
  const { lines, parts, results } = writeBody(record.steps, identifiers, scope);
  const body = lines.map((line) => `  ${line}`).join("\n");
  const returned = results.map(({ key, identifier }) =>
    key === identifier ? key : `${writeProperty(key)}: ${identifier}`,
  );
  const usesSelectors = body.includes("quotable(") ? (["quotable"] as const) : [];
  const helpers = [...new Set([...parts, ...usesSelectors])].map((part) => sourceParts[part]);
  const isUsed = (type: string): boolean => helpers.some((helper) => helper.includes(type));
  const types = ["Dialog", "Locator", "Page", "Request"].filter((type) => type === "Page" || isUsed(type)).join(", ");
  return [
    `import type { ${types} } from "playwright-core";`,
    "",
    writeComment(record),
    `export async function ${name}(${writeSignature(parameters, identifiers)}) {`,
    ...(body === "" ? [] : [body]),
    ...(returned.length > 0 ? [`  return { ${returned.join(", ")} };`] : []),
    "}",
    ...helpers.flatMap((helper) => ["", helper]),
    "",
  ].join("\n");
}

/** Names that exported source uses beside those of its parts. */
const sourceNames =
  "page settled tabs Dialog Page Locator Request document window scrollToEnd furtherNames searchFurther searchThings lookForThings finishThings ThingsReading".split(
    " ",
  );

/** Returns the variables of the function, and those that only its steps name. */
function listParameters({ variables, steps }: FunctionRecord): readonly Variable[] {
  const declaredNames = new Set(variables.map(({ name }) => name));
  const others = listStepVariables(steps).filter((name) => !declaredNames.has(name));
  return [...variables, ...others.map((name) => ({ name, value: null }))];
}

function writeSignature(parameters: readonly Variable[], identifiers: Identifiers): string {
  if (parameters.length === 0) return "page: Page";
  const bindings = parameters.map(({ name, value }) => {
    const identifier = identifiers.get(name) ?? name;
    const bound = identifier === name ? name : `${writeProperty(name)}: ${identifier}`;
    return value === null ? bound : `${bound} = ${writeLiteral(value)}`;
  });
  const types = parameters.map(({ name, value }) => `${writeProperty(name)}${value === null ? "" : "?"}: string`);
  const fallback = parameters.every(({ value }) => value !== null) ? " = {}" : "";
  return `page: Page, { ${bindings.join(", ")} }: { ${types.join("; ")} }${fallback}`;
}

interface Body {
  readonly lines: readonly string[];
  readonly parts: readonly SourcePart[];
  readonly results: readonly { readonly key: string; readonly identifier: string }[];
}

function writeBody(steps: readonly Step[], identifiers: Identifiers, scope: IdentifierScope): Body {
  const lines: string[] = [];
  const parts: SourcePart[] = [];
  const results = new Map<string, string>();
  const opener = findFirstOpener(steps);
  const choosesTabs = steps.some(({ action }) => action === "tab");
  if (choosesTabs) {
    lines.push("const tabs = followTabs(page);");
    parts.push("followTabs", "findTab");
  }
  if (opener < steps.length) {
    lines.push("const settled = following(page);");
    parts.push("following");
  }
  for (const [index, step] of steps.entries()) {
    if (step.action === "extract") {
      const { code, parts: used } = writeExtraction(step, identifiers);
      const identifier = scope.take(step.name);
      lines.push(`const ${identifier} = ${code};`);
      parts.push(...used);
      results.set(step.name, identifier); // of several with one name, the last counts
      continue;
    }
    if (step.action === "tab") {
      lines.push(writeTabStep(step));
      continue;
    }
    const goesBack = step.action === "back" && index > opener;
    if (goesBack) parts.push("goBack");
    if (step.action === "select") parts.push("selectOption");
    if (step.action === "upload") parts.push("chooseFiles");
    const plain = goesBack ? "goBack(page)" : writeAction(step, identifiers);
    const act = step.dialogs ? writeDialogAnswers(plain, step.dialogs, identifiers) : plain;
    if (step.dialogs) parts.push("answerDialogs");
    const follows = index < steps.length - 1 && !choosesTabs;
    if (index < opener || !mayOpenPage.has(step.action)) lines.push(`await ${act};`);
    else lines.push(`${follows ? "page = " : ""}await settled(${act});`);
  }
  return { lines, parts, results: [...results].map(([key, identifier]) => ({ key, identifier })) };
}

/**
 * Steps that may open a page or load more content: a page that an earlier step opened may appear while a step waits,
 * and a page that is scrolled may load more.
 */
const mayOpenPage: ReadonlySet<string> = new Set("click press select check upload scroll back wait".split(" "));

/** Returns the index of the first step, except the last one, that may open a page or load more content; defaults to the number of steps. */
function findFirstOpener(steps: readonly Step[]): number {
  const index = steps.slice(0, -1).findIndex(({ action }) => ["click", "press", "scroll"].includes(action));
  return index < 0 ? steps.length : index;
}

function writeProperty(name: string): string {
  return isName(name) ? name : writeLiteral(name);
}

/** Writes the task as a comment, without possible secrets. */
function writeComment({ query, function_id, created_at, variables }: FunctionRecord): string {
  const queryNames = listVariables(query);
  const mayHoldSecrets = variables.some(({ name, value }) => value === null && !queryNames.includes(name));
  const task = mayHoldSecrets ? redactTask(query) : query;
  const lines = task
    .slice(0, 2_000)
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => ` * ${line.replaceAll("*/", "*\\/").trim()}`);
  return ["/**", ...lines, " *", ` * Function ${function_id} of ${created_at}.`, " */"].join("\n");
}
