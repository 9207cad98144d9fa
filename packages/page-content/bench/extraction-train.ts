/**
 * Learns the trees of main content from pages whose main content is known, tells how good they are on pages they did not
 * learn from (5 folds by site), and writes the tables into the source.
 *
 * `--check` only scores, `--write` only writes; with `--plain-folds` pages of one site may be in different folds.
 *
 * node --conditions=@cloud-browser/source bench/extraction-train.ts --pages FOLDER [--check | --write] [--plain-folds]
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { parseHTML } from "linkedom";

import { forEachFeatureRow } from "../src/in-page/main-content/block-features.ts";
import { chooseBlocks } from "../src/in-page/main-content/block-choice.ts";
import type { FeatureRow } from "../src/in-page/main-content/feature-row.ts";
import { collectPageFacts } from "../src/in-page/main-content/page-facts.ts";
import { pageKindRow, pageKinds } from "../src/in-page/main-content/page-kind.ts";
import { outlineDocument, type PageOutline } from "../src/in-page/main-content/page-outline.ts";
import { readabilityShares } from "../src/in-page/main-content/readability-shares.ts";
import { computeChance, type TrainedTree, type TrainingOptions, trainTrees } from "./extraction/boosted-trees.ts";
import { type KnownPage, knownPages, withoutScripts } from "./extraction/known-pages.ts";
import { computeRunLength, getScore } from "./extraction/score.ts";
import { getCoverage } from "./extraction/truth-alignment.ts";

const { values: flags } = parseArgs({
  options: {
    pages: { type: "string" },
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    "plain-folds": { type: "boolean", default: false },
  },
});
if (flags.pages === undefined) {
  console.log("No pages given: --pages FOLDER");
  process.exit(0);
}

const foldCount = 5;
const blockOptions: TrainingOptions = {
  trees: 200,
  leaves: 24,
  rate: 0.05,
  featureShare: 0.3,
  rowShare: 0.6,
  leafWeight: 0.2,
  leafRows: 20,
  ridge: 0.3,
  seed: 1,
};
const kindOptions: TrainingOptions = {
  trees: 80,
  leaves: 5,
  rate: 0.06,
  featureShare: 0.3,
  rowShare: 0.7,
  leafWeight: 0.5,
  leafRows: 5,
  ridge: 1,
  seed: 1,
};

interface Lesson {
  page: KnownPage;
  fold: number;
  outline: Pick<PageOutline, "blocks" | "elements">;
  /** All but the chances of the page's kind, which come last. */
  rows: Float32Array[];
  coverage: Float64Array;
  kindRow: Float32Array;
  kind: number[];
}

const noKind = pageKinds.map(() => 0);
const lessons = knownPages(flags.pages)
  .filter((page) => page.truth !== "")
  .map((page) => getLesson(page));
console.log(
  `${lessons.length} pages, ${lessons.reduce((sum, { rows }) => sum + rows.length, 0)} blocks of ${lessons[0]?.rows[0]?.length} numbers`,
);

// Each page's kind as told by trees that did not learn from it, to be learned from and to be judged with.
for (let fold = 0; fold < foldCount; fold += 1) {
  const models = kindModels(lessons.filter((lesson) => lesson.fold !== fold));
  for (const lesson of lessons) if (lesson.fold === fold) lesson.kind = getKind(models, lesson);
}
for (const { rows, kind } of lessons) for (const row of rows) row.set(kind, row.length - kind.length);
const rightKinds = lessons.filter(({ kind, page }) => pageKinds[kind.indexOf(Math.max(...kind))] === page.type).length;
console.log(`kind of page right: ${((100 * rightKinds) / lessons.length).toFixed(1)} %`);

const foldsScored = flags.write ? 0 : foldCount;
const sums = new Map<string, { count: number; f1: number }>();
for (let fold = 0; fold < foldsScored; fold += 1) {
  const model = trainTrees(blockLessons(lessons.filter((lesson) => lesson.fold !== fold)), blockOptions);
  for (const lesson of lessons) if (lesson.fold === fold) addScore(lesson, model);
  console.log(`fold ${fold + 1} of ${foldCount}`);
}
for (const [name, { count, f1 }] of [...sums].sort(([a], [b]) => a.localeCompare(b)))
  console.log(name.padEnd(24), String(count).padStart(4), (f1 / count).toFixed(4));

if (!flags.check) {
  const source = new URL("../src/in-page/main-content/", import.meta.url);
  const origin = "Made by bench/extraction-train.ts. */\n";
  const blockTable = writeTable(trainTrees(blockLessons(lessons), blockOptions));
  writeFileSync(
    new URL("block-trees.ts", source),
    `/** Trees that tell how likely a block is main content. ${origin}export const blockTrees = \`\n${blockTable}\n\`;\n`,
  );
  const kindTables = kindModels(lessons).map((trees) => `  \`${writeTable(trees).replaceAll("\n", ";")}\`,\n`);
  writeFileSync(
    new URL("page-kind-trees.ts", source),
    `/** Trees that tell how likely a page is of each kind. ${origin}export const pageKindTrees: readonly string[] = [\n${kindTables.join("")}];\n`,
  );
}

function getLesson(page: KnownPage): Lesson {
  const document = withoutScripts(parseHTML(page.html()).document);
  let outline = outlineDocument(document.documentElement);
  if ((outline.elements[0]?.words ?? 0) < 40) outline = outlineDocument(document.documentElement, true);
  const facts = collectPageFacts(document, outline, readabilityShares(document, outline));
  const rows: Float32Array[] = [];
  forEachFeatureRow(
    facts,
    noKind,
    () => true,
    (row) => rows.push(getNumbers(row)),
  );
  const coverage = getCoverage(
    outline.blocks.map(({ text }) => text),
    page.truth,
  );
  // Without the elements themselves, else all pages stay in memory.
  const elements = outline.elements.map((entry) => ({ ...entry, element: document.createElement("a") }));
  const kindRow = getNumbers(pageKindRow(document, facts));
  return {
    page,
    fold: computeFold(page),
    outline: { blocks: outline.blocks, elements },
    rows,
    coverage,
    kindRow,
    kind: noKind,
  };
}

function getNumbers(row: FeatureRow): Float32Array {
  return Float32Array.from(row.values.subarray(0, row.names.length));
}

/** Pages of one site are in the same fold, unless plain folds are asked for. */
function computeFold({ url, id }: KnownPage): number {
  const site = URL.canParse(url) && !flags["plain-folds"] ? new URL(url).hostname.split(".").slice(-2).join(".") : id;
  let hash = 7;
  for (const character of site) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % foldCount;
}

/** A block counts by its share of the words that are right, so that every page counts about the same. */
function blockLessons(from: Lesson[]): Parameters<typeof trainTrees>[0] {
  const rows: Float32Array[] = [];
  const target: number[] = [];
  const weight: number[] = [];
  for (const lesson of from) {
    const { blocks } = lesson.outline;
    const right = blocks.reduce((sum, { words }, at) => sum + words * (lesson.coverage[at] ?? 0), 0);
    blocks.forEach(({ words }, at) => {
      rows.push(lesson.rows[at] ?? new Float32Array());
      target.push(Math.min(1, lesson.coverage[at] ?? 0));
      weight.push(Math.min(1, (words + 0.3) / Math.max(50, right)));
    });
  }
  return { rows, target: Float64Array.from(target), weight: Float64Array.from(weight) };
}

function kindModels(from: Lesson[]): TrainedTree[][] {
  return pageKinds.map((kind) =>
    trainTrees(
      {
        rows: from.map(({ kindRow }) => kindRow),
        target: Float64Array.from(from, ({ page }) => (page.type === kind ? 1 : 0)),
        weight: new Float64Array(from.length).fill(1),
      },
      kindOptions,
    ),
  );
}

function getKind(models: TrainedTree[][], { kindRow }: Lesson): number[] {
  const chances = models.map((trees) => computeChance(trees, kindRow));
  const sum = chances.reduce((all, chance) => all + chance, 0);
  return chances.map((chance) => chance / sum);
}

function addScore({ page, outline, rows, kind }: Lesson, model: TrainedTree[]): void {
  const chances = Float64Array.from(rows, (row) => computeChance(model, row));
  const choice = chooseBlocks({ ...outline, leaves: [] }, chances, kind[0] ?? 0);
  const text = outline.blocks.flatMap((block, at) => (choice[at] === 1 ? [block.text] : [])).join("\n");
  const { f1 } = getScore(text, page.truth, computeRunLength(page.set));
  for (const name of page.set === "mixed" ? ["mixed", `mixed ${page.type}`] : ["articles"]) {
    const sum = sums.get(name) ?? { count: 0, f1: 0 };
    sums.set(name, { count: sum.count + 1, f1: sum.f1 + f1 });
  }
}

function writeTable(trees: readonly TrainedTree[]): string {
  return trees
    .map((tree) => {
      const nodes = (node: number): string => {
        const feature = tree.feature[node] ?? -1;
        if (feature < 0) return String(Math.round((tree.value[node] ?? 0) * 1000));
        return `${feature}<${tree.threshold[node]} ${nodes(tree.left[node] ?? 0)} ${nodes(tree.right[node] ?? 0)}`;
      };
      return nodes(0);
    })
    .join("\n");
}
