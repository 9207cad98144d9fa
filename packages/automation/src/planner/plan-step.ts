import type { ElementHandle, Locator, Page } from "playwright-core";
import { sleep } from "../async.ts";
import { StepError } from "../automation-error.ts";
import { isPasswordField } from "../snapshot/passwords.ts";
import { recordTarget } from "../targets/record-target.ts";
import { nameThings } from "../extraction/things/compile-ask.ts";
import type { ExtractStep, Step, StepTarget } from "../task/step.ts";
import { toSnakeCase } from "../task/names.ts";
import type { ThingsQuestion } from "../task/things-question.ts";
import { escapeTemplate } from "../task/template.ts";
import { readTargetChoice } from "../generalization/choice-of-target.ts";
import { listTableNames } from "../extraction/extract-tables.ts";
import { findElement, locateOnce, type ElementKind } from "./finding/find-element.ts";
import { findFileInput } from "./finding/find-file-input.ts";
import { findLogInForm, findSubmit } from "./finding/forms.ts";
import { isCardChecked } from "./finding/hidden-choices.ts";
import { findMenu, findSearchBox, classifyField, findListsWith } from "./finding/lists-and-menus.ts";
import type { Instruction } from "./instruction.ts";
import { anyNextPageTarget, findNextPageLink } from "./next-page.ts";
import type { TaskVariables } from "./task-variables.ts";

/** Longest wait of one step, in seconds; a longer wait becomes several steps. */
const maxWaitSeconds = 60;

/** Page and values that steps are planned with. */
export interface PlanContext {
  /** The page before the steps. */
  readonly page: Page;
  /** Collects the values of the task as variables. */
  readonly variables: TaskVariables;
  /** The field that was filled, or the choice that was made last. */
  readonly filled: { last: ElementHandle | undefined };
  /** Aborts it. */
  readonly signal: AbortSignal;
}

/** Steps, planned one by one, as each may change the page. */
type PlannedSteps = AsyncGenerator<Step, void>;

/** Plans the steps of an instruction; each is planned after the one before was performed. */
export async function* planSteps(instruction: Instruction, planning: PlanContext): PlannedSteps {
  const { variables } = planning;
  switch (instruction.verb) {
    case "open":
      return yield { action: "open", url: escapeTemplate(instruction.url) };
    case "back":
      return yield { action: "back" };
    case "click":
      return yield* planClick(instruction, planning);
    case "hover":
      return yield {
        action: "hover",
        target: await recordTarget(await find(planning, "hoverable", instruction.name, instruction.role)),
      };
    case "submit":
      return yield await planSubmit(await findSubmit(planning.page, planning.filled.last, planning.signal), planning);
    case "fill":
      return yield* planFill(instruction, planning);
    case "search": {
      const box = await recordTarget(await findSearchBox(planning.page, planning.signal));
      yield { action: "fill", target: box, value: variables.add("search_term", instruction.value) };
      return yield { action: "press", key: "Enter", target: box };
    }
    case "log-in":
      yield* planLogIn(instruction, planning);
      return expectLoggedIn(planning);
    case "select":
      return yield* planSelection(instruction, planning);
    case "check":
      return yield* planCheck(await find(planning, "choice", instruction.name), instruction.checked, planning);
    case "upload":
      return yield await planUpload(instruction, planning);
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
      return yield await planExtraction(instruction, planning);
    case "extract-elements": {
      const { of, pages } = instruction;
      return yield await planReading(toSnakeCase(of), { what: { kind: "elements", of } }, pages, planning);
    }
    case "extract-things": {
      const { question, pages } = instruction;
      return yield await planReading(nameAnswer(question), { what: { kind: "things", question } }, pages, planning);
    }
    case "extract-data": {
      const schema = buildSchema(instruction);
      return yield await planReading("data", { what: { kind: "data", schema } }, undefined, planning);
    }
  }
}

async function find(planning: PlanContext, kind: ElementKind, name: string, role?: string): Promise<Locator> {
  const { page, signal, filled } = planning;
  return findElement(page, kind, name, signal, { role, near: filled.last });
}

/**
 * Creates the target of what is clicked or checked. Where the task named one of several things that are alike, such as an option, a day, a
 * suggestion or a row, its name becomes a variable.
 */
async function recordChoice(element: Locator, { variables, signal }: PlanContext): Promise<StepTarget> {
  const target = await recordTarget(element);
  const typed = variables.all.filter(({ isSecret }) => !isSecret).map(({ value }) => value);
  const choice = await readTargetChoice(element, target, typed, signal);
  if (choice) variables.addChoice(choice.name, choice.value);
  return target;
}

/** Remembers the field that is filled, or the choice that is made. */
async function remember({ filled }: PlanContext, field: Locator): Promise<void> {
  filled.last = (await field.elementHandle({ timeout: 2_000 }).catch(() => null)) ?? undefined;
}

/** Plans a click, after a hover over the menu that shows the element if it is hidden. */
async function* planClick(
  { name, role }: Extract<Instruction, { verb: "click" }>,
  planning: PlanContext,
): PlannedSteps {
  const { page, filled } = planning;
  const match = await locateOnce(page, "clickable", name, { role, near: filled.last });
  const menu = match === undefined ? await findMenu(page, name) : undefined;
  if (menu) yield { action: "hover", target: await recordTarget(menu) };
  const isOne = match !== undefined && typeof match !== "number";
  const element = isOne ? match : await find(planning, "clickable", name, role);
  yield { action: "click", target: await recordChoice(element, planning) };
}

/** Plans to fill the field of a name; selects an option if it is a list or a group of choices. */
async function* planFill(
  { field: name, value }: Extract<Instruction, { verb: "fill" }>,
  planning: PlanContext,
): PlannedSteps {
  const { variables } = planning;
  const field = await find(planning, "field", name);
  const kind = await classifyField(field);
  if (kind !== "field") return yield* planSelectionIn(field, kind, value, name, planning);
  const isSecret = await isPasswordField(field, planning.signal);
  const text = isSecret ? variables.addSecret(toSnakeCase(name), value) : variables.add(toSnakeCase(name), value);
  await remember(planning, field);
  yield { action: "fill", target: await recordTarget(field), value: text };
}

/** Plans to check or uncheck a box, through its label if the box is hidden. A card is clicked, unless its box has that state already. */
async function* planCheck(choice: Locator, checked: boolean, planning: PlanContext): PlannedSteps {
  const isChecked = await isCardChecked(choice);
  await remember(planning, choice);
  const step = await recordChoice(choice, planning);
  if (isChecked === undefined) return yield { action: "check", target: step, checked };
  if (isChecked === checked) return;
  yield { action: "click", target: step };
  if ((await isCardChecked(choice)) !== checked)
    throw new StepError(`${step.label} was clicked, and is still ${checked ? "not " : ""}checked`);
}

/** Plans an upload to the named file input, visible or not; without a name to the only one of the page. */
async function planUpload(
  { field, files }: Extract<Instruction, { verb: "upload" }>,
  planning: PlanContext,
): Promise<Step> {
  const { page, signal, variables } = planning;
  const input = field === undefined ? await findFileInput(page, signal) : await find(planning, "file", field);
  await remember(planning, input);
  const inputTarget = await recordTarget(input, true);
  return { action: "upload", target: inputTarget, files: files.map((name) => variables.add("file", name)) };
}

async function planSubmit(button: Locator | "enter", { filled, page }: PlanContext): Promise<Step> {
  if (button !== "enter") return { action: "click", target: await recordTarget(button) };
  const isFocused = await filled.last?.evaluate((field) => field === document.activeElement).catch(() => false);
  if (isFocused !== true) await filled.last?.focus();
  return { action: "press", key: "Enter", target: await recordTarget(page.locator(":focus")) };
}

async function planSend(button: Locator | undefined, field: StepTarget): Promise<Step> {
  return button
    ? { action: "click", target: await recordTarget(button) }
    : { action: "press", key: "Enter", target: field };
}

/** Plans to fill and send the log-in form; both forms if the password is asked for in a second step. */
async function* planLogIn(
  { user, password }: Extract<Instruction, { verb: "log-in" }>,
  planning: PlanContext,
): PlannedSteps {
  const { page, variables, signal } = planning;
  let form = await findLogInForm(page, signal, false);
  if (form.user) {
    const field = await recordTarget(form.user);
    yield { action: "fill", target: field, value: variables.add("user", user) };
    if (form.password === undefined) {
      yield await planSend(form.submit, field);
      form = await findLogInForm(page, signal, true);
    }
  }
  if (form.password === undefined) throw new StepError("the form has no field for a password");
  const secret = await recordTarget(form.password);
  yield { action: "fill", target: secret, value: variables.addSecret("password", password) };
  yield await planSend(form.submit, secret);
}

/** How long a password field may stay visible after login, in milliseconds: less when the page shows a reason. */
const loginTimeoutMs = { withReason: 1_500, silent: 5_000 } as const;

/** Throws when the page still shows a password field: the login failed. */
async function expectLoggedIn({ page, signal }: PlanContext): Promise<void> {
  const asks = page.locator("input[type=password]").filter({ visible: true });
  const alert = page.getByRole("alert").filter({ visible: true, hasText: /\S/ }).first();
  const began = performance.now();
  while (!page.isClosed() && (await asks.count().catch(() => 0)) > 0) {
    const message = (await alert.count()) > 0 ? ((await alert.textContent().catch(() => null)) ?? "").trim() : "";
    if (performance.now() - began > (message === "" ? loginTimeoutMs.silent : loginTimeoutMs.withReason)) {
      const reason = message === "" ? "" : `; it says: ${message.slice(0, 200)}`;
      throw new StepError(`the page still asks for the password${reason}`);
    }
    await sleep(250, signal);
  }
}

/** Plans the selection of an option: of a named list or group, of the only list that has it, or a radio button. */
async function* planSelection(
  { option, field }: Extract<Instruction, { verb: "select" }>,
  planning: PlanContext,
): PlannedSteps {
  const { page, variables } = planning;
  if (field !== undefined) {
    const list = await find(planning, "options", field);
    return yield* planSelectionIn(list, await classifyField(list), option, field, planning);
  }
  const lists = await findListsWith(page, option);
  if (lists.length === 1 && lists[0]) {
    await remember(planning, lists[0]);
    return yield { action: "select", target: await recordTarget(lists[0]), option: variables.add("option", option) };
  }
  if (lists.length > 1)
    throw new StepError(
      `ambiguous target: ${lists.length} lists have an option "${option}"; name the list: select X from Y`,
    );
  yield* planCheck(await find(planning, "choice", option), true, planning);
}

/** Selects an option of a list, or chooses one of a group. */
async function* planSelectionIn(
  list: Locator,
  kind: "field" | "list" | "group",
  option: string,
  name: string,
  planning: PlanContext,
): PlannedSteps {
  const { page, signal, variables } = planning;
  if (kind === "group")
    return yield* planCheck(await findElement(page, "choice", option, signal, { within: list }), true, planning);
  await remember(planning, list);
  yield { action: "select", target: await recordTarget(list), option: variables.add(toSnakeCase(name), option) };
}

/** Plans to read a text, a table, a list or links: of the named part, or of the page. */
async function planExtraction(
  { kind, named, pages }: Extract<Instruction, { verb: "extract" }>,
  planning: PlanContext,
): Promise<Step> {
  if (kind === "table" && named === undefined) await expectOneTable(planning.page);
  const isPart = named !== undefined && (kind === "table" || kind === "list");
  const part = isPart ? { target: await recordTarget(await find(planning, kind, named)) } : {};
  return planReading(toSnakeCase(named ?? "") || kind, { what: { kind }, ...part }, pages, planning);
}

/** Returns a name for the answer to a question about things. */
function nameAnswer(question: ThingsQuestion): string {
  const { several } = nameThings(question);
  if (question.as === "records") return "data";
  return toSnakeCase(question.as === "count" ? `number of ${several}` : several) || "things";
}

/** Plans an extraction; one of several pages gets the link to the next page. */
async function planReading(
  name: string,
  reading: Pick<ExtractStep, "what" | "target">,
  pages: number | undefined,
  { page, variables, signal }: PlanContext,
): Promise<Step> {
  const step: ExtractStep = { action: "extract", name: variables.nameResult(name), ...reading };
  if (pages === undefined || pages < 2) return step;
  const next = await findNextPageLink(page);
  signal.throwIfAborted();
  return { ...step, nextPage: { target: next ? await recordTarget(next) : anyNextPageTarget, most: pages } };
}

/** Throws when several tables could be meant. */
async function expectOneTable(page: Page): Promise<void> {
  const names = await listTableNames(page);
  if (names.length < 2) return;
  const listed = names.map((name) => (name === "" ? "one without a name" : JSON.stringify(name.slice(0, 60))));
  throw new StepError(
    `ambiguous target: ${names.length} tables on the page (${listed.join(", ")}); name one: extract the table "X"`,
  );
}

/** Returns the schema of an object with these properties, of any scalar type, or of a list of them. */
function buildSchema({
  properties,
  titles = {},
  isList,
}: Extract<Instruction, { verb: "extract-data" }>): Readonly<Record<string, unknown>> {
  const type = ["string", "number", "boolean"];
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      properties.map((name) => [name, titles[name] === undefined ? { type } : { type, title: titles[name] }]),
    ),
    required: properties,
  };
  return isList ? { type: "array", items: schema } : schema;
}
