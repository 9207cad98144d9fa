import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Planner } from "../../src/planner/planner.ts";
import { TestBrowsers } from "../functions/workplace.ts";
import { plainData, trapData } from "./said/data-tasks.ts";
import { plainForms } from "./said/plain-forms.ts";
import { plainNames } from "./said/plain-names.ts";
import { plainPages } from "./said/plain-pages.ts";
import { startSaidSite, type SaidSite } from "./said/said-site.ts";
import type { SaidTask } from "./said/task.ts";
import { trapForms } from "./said/trap-forms.ts";
import { trapNames } from "./said/trap-names.ts";

const tasks: readonly SaidTask[] = [
  ...plainNames,
  ...plainPages,
  ...trapNames,
  ...plainForms,
  ...trapForms,
  ...plainData,
  ...trapData,
];
let site: SaidSite;
let browsers: TestBrowsers;

beforeAll(async () => {
  site = await startSaidSite(tasks);
  browsers = await TestBrowsers.start();
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("a run does what was said, and nothing else", () => {
  test.concurrent.each(tasks.map((task, index) => [task.about, index, task] as const))(
    "%s",
    async (_, index, { task, done, data, error }) => {
      await using place = await browsers.openPlace();
      const outcome = await new Planner().work(`Open ${site.url}/page/${index}, ${task}`, place.workplace).then(
        (work) => ({ end: "done", values: Object.values(work.data) }),
        (reason: unknown) => ({ end: String(reason), values: [] }),
      );
      expect(outcome.end).toMatch(error ?? /^done$/);
      expect(site.listMessages(index)).toEqual(done);
      expect(outcome.values).toEqual(data ?? []);
    },
  );
});
