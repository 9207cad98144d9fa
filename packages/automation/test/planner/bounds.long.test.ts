import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeFunctionSource } from "../../src/functions/function-source.ts";
import { generalize } from "../../src/generalization/generalize.ts";
import { writeAnswer } from "../../src/task/answer.ts";
import { findElement } from "../../src/planner/finding/find-element.ts";
import { maxTaskLength } from "../../src/planner/read-task.ts";
import { TaskVariables } from "../../src/planner/task-variables.ts";
import type { Step } from "../../src/task/step.ts";
import { createRecord, TestBrowsers } from "../functions/workplace.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

describe("work on a parsed task is bounded, too", () => {
  test("an answer of many rows, each with columns of its own", () => {
    const rows = Array.from({ length: 6_000 }, (_, index) => ({ [`a${index}`]: "x" }));
    expect(measureProcessorTime(() => writeAnswer(1, { rows }))).toBeLessThan(500);
    expect(writeAnswer(1, { rows })).toContain("… and 5980 more.");
  });

  test("a task without many secrets", () => {
    const variables = new TaskVariables();
    for (const [index, value] of ["", "p", "a", "s", "w", "o", "r", "d", "_", "{", "}"].entries())
      variables.addSecret(`password_${index}`, value);
    const clean = variables.hideSecrets("log in as x with password pa");
    expect(clean).toBe(
      "l{{password_5}}g in {{password_2}}{{password_3}} x {{password_4}}ith {{password_1}}{{password_2}}{{password_3}}{{password_3}}{{password_4}}{{password_5}}{{password_6}}{{password_7}} {{password_1}}{{password_2}}",
    );
  });

  test("the longest of several secrets counts, so that none is torn", () => {
    const variables = new TaskVariables();
    variables.addSecret("pin", "12");
    variables.addSecret("password", "1234");
    expect(variables.hideSecrets("fill PIN with 12, fill Password with 1234")).toBe(
      "fill PIN with {{pin}}, fill Password with {{password}}",
    );
  });

  test("a function of many steps with many values", () => {
    const names = Array.from({ length: 600 }, (_, index) => `value ${index} of many`);
    const steps: Step[] = names.map((name, index) => ({
      action: "fill",
      target: { selectors: [`internal:label="Field ${index}"i`, `#field${index} >> "${name}?"`], label: "field" },
      value: name,
    }));
    const values = names.map((value, index) => ({ name: `v${index}`, value }));
    let generalization: ReturnType<typeof generalize> | undefined;
    expect(measureProcessorTime(() => (generalization = generalize(steps, values)))).toBeLessThan(4_000);
    expect(generalization?.variables).toHaveLength(600);
    expect(generalization?.steps[7]).toMatchObject({ value: "{{v7}}" });
  });
});

describe("the task in the source of a function", () => {
  const variables = [{ name: "password", value: null }];

  test.each([
    ["blanks", "password" + " ".repeat(maxTaskLength)],
    ["opening quotes", "password “".repeat(100_000)],
    ["straight quotes", 'password is "'.repeat(50_000)],
    ["apostrophes", "password '".repeat(100_000)],
    ["words and blanks", `password field${" ".repeat(500)}`.repeat(200)],
  ])("is shown at once: %s", (_, query) => {
    expect(measureProcessorTime(() => writeFunctionSource(createRecord([], { query, variables })))).toBeLessThan(500);
  });

  test("holds no secret whose quotation does not end", () => {
    const source = writeFunctionSource(createRecord([], { query: 'password "correct horse', variables }));
    expect(source).toContain(" * password •••");
    expect(source).not.toContain("horse");
  });
});

describe("a part of a page", () => {
  let browsers: TestBrowsers;
  beforeAll(async () => void (browsers = await TestBrowsers.start()));
  afterAll(() => browsers[Symbol.asyncDispose]());

  test("is found beside texts of many blanks", async () => {
    await using place = await browsers.openPlace();
    const blanks = "&nbsp;".repeat(3_000);
    await place.page.setContent(`<p>Save${blanks}x</p><label>Save${blanks}x <input></label><i role=button>Save: *</i>`);
    const late = AbortSignal.timeout(4_000);
    const element = await Promise.race([
      findElement(place.page, "clickable", "Save", late),
      pause(4_500).then(() => undefined), // a page that is busy does not answer at all
    ]);
    expect(await element?.textContent()).toBe("Save: *");
  });

  test("that a long text names does not keep the service from others", async () => {
    await using place = await browsers.openPlace();
    await place.page.setContent("<button>Save</button>");
    let longest = 0;
    let last = process.threadCpuUsage();
    const timer = setInterval(() => {
      const { user, system } = process.threadCpuUsage(last);
      longest = Math.max(longest, (user + system) / 1_000);
      last = process.threadCpuUsage();
    }, 5);
    for (const part of ["a", " (", "\\", '"', ">> ", "/"]) {
      const name = part.repeat((maxTaskLength - 100) / part.length);
      await expect(findElement(place.page, "field", name, AbortSignal.timeout(1_000))).rejects.toThrow();
    }
    clearInterval(timer);
    expect(longest).toBeLessThan(200);
  });
});
