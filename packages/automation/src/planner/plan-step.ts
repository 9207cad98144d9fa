import type { Page } from "playwright-core";
import { sleep } from "../async.ts";
import { AutomationError } from "../automation-error.ts";
import { isPasswordField } from "../snapshot/passwords.ts";
import { targetOfLocator } from "../targets/record-target.ts";
import type { Step, Target } from "../task/step.ts";
import { escapeTemplate } from "../task/template.ts";
import { findElement, type ElementKind } from "./find-element.ts";
import type { Instruction } from "./instruction.ts";
import { anyNextPageTarget, nextPageLink } from "./next-page.ts";
import { snakeCase } from "./read-clause.ts";
import type { TaskVariables } from "./task-variables.ts";

/** Longest wait of one step, in seconds; a longer wait becomes several steps. */
const maxWaitSeconds = 60;

/** Options of the planner. */
export interface PlanContext {
  /** The page before the steps. */
  readonly page: Page;
  /** Collects the values of the task as variables. */
  readonly variables: TaskVariables;
  /** Aborts it. */
  readonly signal: AbortSignal;
}

/** Steps, planned one by one because each may change the page. */
type Planned = AsyncGenerator<Step, void>;

/** Plans the steps of an instruction; each is planned after the one before was performed. */
export async function* planSteps(instruction: Instruction, planning: PlanContext): Planned {
  const { variables } = planning;
  const find = (kind: ElementKind, name = "", role?: string): Promise<Target> => target(planning, kind, name, role);
  switch (instruction.verb) {
    case "open":
      return yield { action: "open", url: escapeTemplate(instruction.url) };
    case "back":
      return yield { action: "back" };
    case "click":
      return yield { action: "click", target: await find("clickable", instruction.name, instruction.role) };
    case "submit":
      return yield { action: "click", target: await find("submit") };
    case "fill": {
      const field = await findElement(planning.page, "field", instruction.field, planning.signal);
      const isSecret = await isPasswordField(field);
      const name = snakeCase(instruction.field);
      const value = isSecret ? variables.addSecret(name, instruction.value) : variables.add(name, instruction.value);
      return yield { action: "fill", target: await targetOfLocator(field), value };
    }
    case "search": {
      const box = await find("search");
      yield { action: "fill", target: box, value: variables.add("search_term", instruction.value) };
      return yield { action: "press", key: "Enter", target: box };
    }
    case "log-in":
      yield { action: "fill", target: await find("user"), value: variables.add("user", instruction.user) };
      yield {
        action: "fill",
        target: await find("password"),
        value: variables.addSecret("password", instruction.password),
      };
      yield { action: "click", target: await find("submit") };
      await expectLoggedIn(planning);
      return;
    case "select":
      return yield await selection(instruction, planning);
    case "check":
      return yield { action: "check", target: await find("choice", instruction.name), checked: instruction.checked };
    case "press":
      return yield { action: "press", key: instruction.key };
    case "scroll":
      return yield { action: "scroll", to: instruction.to };
    case "wait":
      for (let left = instruction.seconds; left > 0; left -= maxWaitSeconds)
        yield { action: "wait", for: { seconds: Math.min(left, maxWaitSeconds) } };
      return;
    case "wait-for":
      return yield { action: "wait", for: { text: escapeTemplate(instruction.text) } };
    case "extract":
      return yield await extraction(instruction, planning);
    case "extract-data":
      return yield {
        action: "extract",
        name: variables.nameResult("data"),
        what: { kind: "data", schema: schemaOf(instruction.properties) },
      };
  }
}

async function target({ page, signal }: PlanContext, kind: ElementKind, name: string, role?: string): Promise<Target> {
  return targetOfLocator(await findElement(page, kind, name, signal, { role }));
}

/** How long a password field may stay visible after login, in milliseconds: less when the page shows a reason. */
const loginTimeoutMs = { withReason: 1_500, silent: 5_000 } as const;

/** Throws when the page still shows a password field: the login failed. */
async function expectLoggedIn({ page, signal }: PlanContext): Promise<void> {
  const asks = page.locator("input[type=password]").filter({ visible: true });
  const alert = page.getByRole("alert").filter({ visible: true, hasText: /\S/ }).first();
  const began = performance.now();
  while (!page.isClosed() && (await asks.count().catch(() => 0)) > 0) {
    const said = (await alert.count()) > 0 ? ((await alert.textContent().catch(() => null)) ?? "").trim() : "";
    if (performance.now() - began > (said === "" ? loginTimeoutMs.silent : loginTimeoutMs.withReason)) {
      const reason = said === "" ? "" : `; it says: ${said.slice(0, 200)}`;
      throw new AutomationError("step_failed", `the page still asks for the password${reason}`);
    }
    await sleep(250, signal);
  }
}

/** Plans the selection of an option: of a named list, of the only list that has it, or a radio button. */
async function selection(
  { option, field }: Extract<Instruction, { verb: "select" }>,
  planning: PlanContext,
): Promise<Step> {
  const { page, variables } = planning;
  if (field !== undefined) {
    const list = await target(planning, "option-list", field);
    return { action: "select", target: list, option: variables.add(snakeCase(field), option) };
  }
  const lists = page
    .locator("select")
    .filter({ has: page.getByRole("option", { name: option, includeHidden: true }), visible: true });
  if ((await lists.count()) !== 1)
    return { action: "check", target: await target(planning, "choice", option), checked: true };
  return { action: "select", target: await targetOfLocator(lists), option: variables.add("option", option) };
}

async function extraction(
  { kind, named, pages }: Extract<Instruction, { verb: "extract" }>,
  planning: PlanContext,
): Promise<Step> {
  const { page, variables, signal } = planning;
  const name = variables.nameResult(named === undefined ? kind : snakeCase(named));
  const part =
    named !== undefined && (kind === "table" || kind === "list") ? await target(planning, kind, named) : undefined;
  const step = { action: "extract", name, what: { kind }, ...(part === undefined ? {} : { target: part }) } as const;
  if (pages === undefined || pages < 2) return step;
  const next = await nextPageLink(page);
  signal.throwIfAborted();
  return { ...step, nextPage: { target: next ? await targetOfLocator(next) : anyNextPageTarget, most: pages } };
}

/** Returns the schema of an object with these properties, of any scalar type. */
function schemaOf(properties: readonly string[]): Readonly<Record<string, unknown>> {
  const any = { type: ["string", "number", "boolean"] };
  return {
    type: "object",
    properties: Object.fromEntries(properties.map((name) => [name, any])),
    required: properties,
  };
}
