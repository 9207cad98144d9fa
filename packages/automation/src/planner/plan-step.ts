import type { Page } from "playwright-core";
import { sleep } from "../async.ts";
import { AutomationError } from "../automation-error.ts";
import { isPasswordField } from "../snapshot/passwords.ts";
import { targetOfLocator } from "../targets/target-of.ts";
import type { Step, Target } from "../task/step.ts";
import { literally } from "../task/template.ts";
import { findPart, type PartKind } from "./find-part.ts";
import type { Instruction } from "./instruction.ts";
import { anyWayToNextPage, wayToNextPage } from "./next-page.ts";
import { words } from "./read-clause.ts";
import type { TaskVariables } from "./task-variables.ts";

/** Most seconds that one step waits; a longer wait takes several. */
const longestWait = 60;

/** Options of the planner. */
export interface Planning {
  /** The page as it is before the steps. */
  readonly page: Page;
  /** Keeps the values of the task as variables. */
  readonly variables: TaskVariables;
  /** Calls it off. */
  readonly signal: AbortSignal;
}

/** A way to come from an instruction to its next step: planned one by one, because each step may change the page. */
type Planned = AsyncGenerator<Step, void>;

/** The steps that an instruction means on the page as it is; each is planned when the one before has been performed. */
export async function* planSteps(instruction: Instruction, planning: Planning): Planned {
  const { variables } = planning;
  const find = (kind: PartKind, name = "", role?: string): Promise<Target> => target(planning, kind, name, role);
  switch (instruction.verb) {
    case "open":
      return yield { action: "open", url: literally(instruction.url) };
    case "back":
      return yield { action: "back" };
    case "click":
      return yield { action: "click", target: await find("clickable", instruction.name, instruction.role) };
    case "submit":
      return yield { action: "click", target: await find("submit") };
    case "fill": {
      const field = await findPart(planning.page, "field", instruction.field, planning.signal);
      const isSecret = await isPasswordField(field);
      const name = words(instruction.field);
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
      for (let left = instruction.seconds; left > 0; left -= longestWait)
        yield { action: "wait", for: { seconds: Math.min(left, longestWait) } };
      return;
    case "wait-for":
      return yield { action: "wait", for: { text: literally(instruction.text) } };
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

async function target({ page, signal }: Planning, kind: PartKind, name: string, role?: string): Promise<Target> {
  return targetOfLocator(await findPart(page, kind, name, signal, role));
}

/** How long a page may go on to ask for a password that it has got, in milliseconds: less when it gives a reason. */
const loginPatienceMs = { withReason: 1_500, silent: 5_000 } as const;

/** A page that asks again did not take the password. */
async function expectLoggedIn({ page, signal }: Planning): Promise<void> {
  const asks = page.locator("input[type=password]").filter({ visible: true });
  const alert = page.getByRole("alert").filter({ visible: true, hasText: /\S/ }).first();
  const began = performance.now();
  while (!page.isClosed() && (await asks.count().catch(() => 0)) > 0) {
    const said = (await alert.count()) > 0 ? ((await alert.textContent().catch(() => null)) ?? "").trim() : "";
    if (performance.now() - began > (said === "" ? loginPatienceMs.silent : loginPatienceMs.withReason)) {
      const reason = said === "" ? "" : `; it says: ${said.slice(0, 200)}`;
      throw new AutomationError("step_failed", `the page still asks for the password${reason}`);
    }
    await sleep(250, signal);
  }
}

/** An option of a list that is named, or one of a list that only the option tells, or a radio button. */
async function selection(
  { option, field }: Extract<Instruction, { verb: "select" }>,
  planning: Planning,
): Promise<Step> {
  const { page, variables } = planning;
  if (field !== undefined) {
    const list = await target(planning, "option-list", field);
    return { action: "select", target: list, option: variables.add(words(field), option) };
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
  planning: Planning,
): Promise<Step> {
  const { page, variables, signal } = planning;
  const name = variables.nameResult(named === undefined ? kind : words(named));
  const part =
    named !== undefined && (kind === "table" || kind === "list") ? await target(planning, kind, named) : undefined;
  const step = { action: "extract", name, what: { kind }, ...(part === undefined ? {} : { target: part }) } as const;
  if (pages === undefined || pages < 2) return step;
  const next = await wayToNextPage(page);
  signal.throwIfAborted();
  return { ...step, nextPage: { target: next ? await targetOfLocator(next) : anyWayToNextPage, most: pages } };
}

/** An object of texts and numbers, whatever the page declares. */
function schemaOf(properties: readonly string[]): Readonly<Record<string, unknown>> {
  const any = { type: ["string", "number", "boolean"] };
  return {
    type: "object",
    properties: Object.fromEntries(properties.map((name) => [name, any])),
    required: properties,
  };
}
