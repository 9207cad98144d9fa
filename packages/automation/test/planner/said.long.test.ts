import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Planner } from "../../src/planner/planner.ts";
import { TestBrowsers } from "../functions/workplace.ts";
import { plainData, trapData } from "./said/data-tasks.ts";
import { plainForms } from "./said/plain-forms.ts";
import { plainNames } from "./said/plain-names.ts";
import { startSaidSite, type SaidSite } from "./said/said-site.ts";
import type { SaidTask } from "./said/task.ts";
import { trapForms } from "./said/trap-forms.ts";
import { trapNames } from "./said/trap-names.ts";

const tasks: readonly SaidTask[] = [
  ...plainNames,
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
    async (_, index, { task, done, data, refused }) => {
      await using place = await browsers.openPlace();
      let given: readonly unknown[] | undefined;
      const work = new Planner().work(`Open ${site.url}/page/${index}, ${task}`, place.workplace);
      const ended = await work.then(
        (work) => {
          given = Object.values(work.data);
          return "done";
        },
        (error: unknown) => String(error),
      );
      expect(ended).toMatch(refused ?? /^done$/);
      expect(site.told(index)).toEqual(done);
      expect(given ?? data).toEqual(data ?? given);
    },
  );
});
