import { elementSelectors } from "../task/element-nouns.ts";
import type { DialogAnswer } from "../page/dialog-answer.ts";
import type { ExtractionKind, Step } from "../task/step.ts";
import { writeLocator } from "./locator-source.ts";
import type { SourcePart } from "./source-parts.ts";
import { writeThings } from "./things-source.ts";
import { writeLiteral, writeTextExpression, writeUrl, type Identifiers } from "./text-source.ts";

/** An extraction as TypeScript source. */
export interface StepSource {
  /** Expression that reads the value. */
  readonly code: string;
  /** The functions that it calls. */
  readonly parts: readonly SourcePart[];
}

type ExtractStep = Extract<Step, { action: "extract" }>;
type TabStep = Extract<Step, { action: "tab" }>;

/** Writes a step that acts on the page, or waits, as an expression without `await`. */
export function writeAction(step: Exclude<Step, ExtractStep | TabStep>, identifiers: Identifiers): string {
  const writeStepText = (one: string): string => writeTextExpression(one, identifiers);
  const writeTarget = (target: Parameters<typeof writeLocator>[0]): string => writeLocator(target, identifiers);
  switch (step.action) {
    case "open":
      return `page.goto(${writeUrl(step.url, identifiers)})`;
    case "back":
      return "page.goBack()";
    case "click":
      return `${writeTarget(step.target)}.click()`;
    case "hover":
      return `${writeTarget(step.target)}.hover()`;
    case "fill":
      return `${writeTarget(step.target)}.fill(${writeStepText(step.value)})`;
    case "select":
      return `selectOption(page, ${writeTarget(step.target)}, ${writeStepText(step.option)})`;
    case "check":
      return `${writeTarget(step.target)}.${step.checked ? "check" : "uncheck"}()`;
    case "upload":
      return `chooseFiles(page, ${writeTarget(step.target)}, [${step.files.map(writeStepText).join(", ")}])`;
    case "press":
      return step.target
        ? `${writeTarget(step.target)}.press(${writeStepText(step.key)})`
        : `page.keyboard.press(${writeStepText(step.key)})`;
    case "scroll":
      if (typeof step.to === "string") return scrolling[step.to];
      return "selectors" in step.to
        ? `${writeTarget(step.to)}.scrollIntoViewIfNeeded()`
        : `page.evaluate(() => window.scrollTo(${Math.round(step.to.x)}, ${Math.round(step.to.y)}))`;
    case "wait":
      if ("seconds" in step.for) return `page.waitForTimeout(${Math.round(step.for.seconds * 1000)})`;
      return "text" in step.for
        ? `page.getByText(${writeStepText(step.for.text)}).filter({ visible: true }).first().waitFor()`
        : `${writeTarget(step.for)}.waitFor()`;
  }
}

const scrolling = {
  top: "page.evaluate(() => window.scrollTo(0, 0))",
  bottom: "page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))",
  down: "page.evaluate(() => window.scrollBy(0, 0.8 * window.innerHeight))",
  up: "page.evaluate(() => window.scrollBy(0, -0.8 * window.innerHeight))",
};

/** Writes a step in another tab as a statement, which needs `tabs`. */
export function writeTabStep({ tab, does }: TabStep): string {
  const tabPage = `await findTab(tabs, ${Math.trunc(tab)})`;
  return does === "close" ? `await (${tabPage}).close();` : `page = ${tabPage};`;
}

/** Writes the answers to the dialogs that a step leads to around its expression. */
export function writeDialogAnswers(act: string, dialogs: readonly DialogAnswer[], identifiers: Identifiers): string {
  const answers = dialogs.map(({ type, message, accept, text }) => {
    const textProperty = text === undefined ? "" : `, text: ${writeTextExpression(text, identifiers)}`;
    return `{ type: "${type}", message: ${writeTextExpression(message, identifiers)}, accept: ${accept}${textProperty} }`;
  });
  return `answerDialogs(page, [${answers.join(", ")}], () => ${act})`;
}

/** Writes an extraction as an expression. */
export function writeExtraction(step: ExtractStep, identifiers: Identifiers): StepSource {
  const { target, what, nextPage } = step;
  const part = target
    ? writeLocator(target, identifiers)
    : what.kind === "text"
      ? `page.locator("main, body").first()`
      : `page.locator(":root")`;
  if (what.kind === "things") {
    const most = nextPage ? Math.trunc(nextPage.most) : 1;
    const all =
      nextPage && `(read) => readPages(page, ${writeLocator(nextPage.target, identifiers)}, ${most}, true, read)`;
    return {
      code: `await ${writeThings(what.question, all)}`,
      parts: ["readThings", ...(nextPage ? (["readPages"] as const) : []), "further"],
    };
  }
  const { code, parts } = writeReading(what, part);
  if (!nextPage || what.kind === "data") return { code: `await ${code}`, parts };
  const next = writeLocator(nextPage.target, identifiers);
  const scrolls = what.kind !== "text";
  const writePages = (read: string): string =>
    `await readPages(page, ${next}, ${Math.trunc(nextPage.most)}, ${scrolls}, ${read})`;
  const all =
    what.kind === "text"
      ? `(${writePages(`async () => [await ${code}]`)}).join("\\n\\n")`
      : writePages(`() => ${code}`);
  return { code: all, parts: [...parts, "readPages", "further"] };
}

function writeReading(what: Exclude<ExtractionKind, { kind: "things" }>, part: string): StepSource {
  switch (what.kind) {
    case "table":
      return { code: `readTable(${part})`, parts: ["readTable", "dropMore"] };
    case "list":
      return { code: `readList(${part})`, parts: ["readList", "dropMore"] };
    case "links":
      return { code: `readLinks(${part})`, parts: ["readLinks"] };
    case "elements":
      return {
        code: `page.locator(${writeLiteral(elementSelectors[what.of])}).filter({ visible: true }).allInnerTexts()`,
        parts: [],
      };
    case "text":
      return { code: `${part}.innerText()`, parts: [] };
    case "data": {
      const properties = what.schema["properties"];
      const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
      return { code: `readDeclared(${part}, [${names.map(writeLiteral).join(", ")}])`, parts: ["readDeclared"] };
    }
  }
}
