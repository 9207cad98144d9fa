import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Planner } from "../../src/planner/planner.ts";
import { TestBrowsers } from "../functions/workplace.ts";
import { plainForms } from "./said/plain-forms.ts";
import { plainNames } from "./said/plain-names.ts";
import { startSaidSite, type SaidSite } from "./said/said-site.ts";
import type { SaidTask } from "./said/task.ts";
import { trapForms } from "./said/trap-forms.ts";
import { trapNames } from "./said/trap-names.ts";

const tasks: readonly SaidTask[] = [...plainNames, ...trapNames, ...plainForms, ...trapForms];
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
    async (_, index, { task, done, refused }) => {
      await using place = await browsers.openPlace();
      const work = new Planner().work(`Open ${site.url}/page/${index}, ${task}`, place.workplace);
      const ended = await work.then(
        () => "done",
        (error: unknown) => String(error),
      );
      expect(ended).toMatch(refused ?? /^done$/);
      expect(site.told(index)).toEqual(done);
    },
  );
});
