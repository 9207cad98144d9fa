import { describe, expect, test } from "vitest";
import { checkAgentLimits } from "../../src/agent/agent-limits.ts";
import { CostLedger } from "../../src/agent/cost-ledger.ts";
import { functionName } from "../../src/agent/function-name.ts";
import { InputTokenBound } from "../../src/agent/input-token-bound.ts";
import { diffTexts } from "../../src/agent/line-diff.ts";
import { StepResults } from "../../src/steps/step-results.ts";
import { RedactingStream, Secrets } from "../../src/task/redaction.ts";
import { noTokens } from "@cloud-browser/page-content";

describe("secrets", () => {
  test.each([
    ["Log in with password hunter2 and go", "hunter2"],
    ['the password is "correct horse"', "correct horse"],
    ["PIN: 1234.", "1234"],
    ["Passwort? password=x!y_z, user ada", "x!y_z"],
    ["use the password 'open'", "open"],
  ])("hides what a task names: %s", (task, secret) => {
    expect(new Secrets(task).redact(`It is ${secret} now`)).toBe("It is ••• now");
  });

  test.each(["fill the password field with care", "open the token page", "reset my password please"])(
    "takes no plain word for a secret: %s",
    (task) => {
      expect(new Secrets(task).redact(task)).toBe(task);
    },
  );

  test.each([1, 2, 3, 5, 100])("hides secrets in a text that comes in pieces of %i", (length) => {
    const secrets = new Secrets("");
    secrets.add("aab");
    secrets.add("lantern");
    const stream = new RedactingStream(secrets);
    const text = "aaab lant lantern lantelantern aa";
    let output = "";
    for (let at = 0; at < text.length; at += length) output += stream.redactPiece(text.slice(at, at + length));
    expect(output + stream.end()).toBe("a••• lant ••• lante••• aa");
  });

  test.each(["p%40ss%20w%C3%B6rd!", "p%40ss+w%C3%B6rd%21", "p@ss%20w%C3%B6rd!"])(
    "hides them as they stand in addresses: %s",
    (encoded) => {
      const secrets = new Secrets("");
      secrets.add("p@ss wörd!");
      expect(secrets.redact(`/in?p=${encoded}&x=1`)).toBe("/in?p=•••&x=1");
    },
  );

  test("emits at once what can't be the beginning of a secret", () => {
    const secrets = new Secrets("");
    secrets.add("lantern");
    expect(new RedactingStream(secrets).redactPiece("hello la")).toBe("hello ");
  });

  test("hides them in all results of steps, also those that are known only later", () => {
    const secrets = new Secrets("");
    const results = new StepResults(secrets);
    const completeness = 'This is a part: 2 of 3 rows (the page says "3 of lantern").';
    results.add({ summary: "", notes: ["lantern was said"], data: { name: "rows", value: ["lantern"], completeness } });
    secrets.add("lantern");
    expect(JSON.stringify(results.collect())).not.toContain("lantern");
    expect(results.collect()).toMatchObject({ data: { rows: ["•••"] }, notes: ["••• was said"] });
  });

  test("gives one name to one value, in results too", () => {
    const secrets = new Secrets("");
    expect([secrets.add("one"), secrets.add("two"), secrets.add("one")]).toEqual([
      "password",
      "password_2",
      "password",
    ]);
    expect(secrets.redactJson({ one: ["x two", 2, null, true] })).toEqual({ "•••": ["x •••", 2, null, true] });
    expect(secrets.replaceWithNames("one and two")).toBe("{{password}} and {{password_2}}");
  });
});

test.each<[string, string, readonly string[]]>([
  ["a\nb\nc", "a\nb\nc", []],
  ["a\nb\nc", "a\nx\nc", ["-b", "+x"]],
  ["a\nb\nc\nd\ne", "a\nB\nc\nd\nE\nf", ["-b", "+B", "-e", "+E", "+f"]],
  ["a", "a\nb", ["+b"]],
  ["a\nb", "b", ["-a"]],
])("tells what differs between %j and %j", (before, after, changes) => {
  expect(diffTexts(before, after)).toEqual(changes);
});

function lines(letter: string): string {
  return ["start", ...Array.from({ length: 1_100 }, (_, index) => `${letter}${index}`), "end"].join("\n");
}

test("diffs texts that are too long to compare line by line", () => {
  const changes = diffTexts(lines("a"), lines("b"));
  expect(changes).toHaveLength(2_200);
  expect(changes[0]).toBe("-a0");
});

test.each([
  ["Search Goods!", "search_goods"],
  ["searchGoods", "search_goods"],
  ["Über 3 Äpfel", "über_3_äpfel"],
  ["3 things", "task_3_things"],
  ["検索", "検索"],
  ["→", "task"],
  ["a b c d e f g h", "a_b_c_d_e_f"],
])("makes a name of %j", (words, name) => {
  expect(functionName(words)).toBe(name);
});

describe("what a call can send", () => {
  test("is bounded by bytes while nothing is known", () => {
    expect(new InputTokenBound().estimate(["ä", { a: 1 }])).toBe(4 + 7);
  });

  test("is bounded by the reported tokens of earlier parts and the bytes of new ones", () => {
    const bound = new InputTokenBound();
    bound.estimate(["x".repeat(1_000), "same", "same"]);
    bound.recordUsage(300);
    expect(bound.estimate(["x".repeat(1_000), "same", "new"])).toBe(300 + 5);
    bound.recordUsage(310);
    expect(bound.estimate(["x".repeat(1_000), "same", "same"])).toBe(310 + 6);
    bound.recordUsage(undefined);
    expect(bound.estimate(["same"])).toBe(6);
  });
});

describe("the ledger", () => {
  const prices = { input: "0.1", cachedInput: "0.01", cacheWrite: "0.2", output: "0.3" };

  test("adds to the last digit", () => {
    const ledger = new CostLedger(prices, "1");
    for (let call = 0; call < 10; call += 1) ledger.add({ ...noTokens, uncachedInput: 1, cachedInput: 1, output: 1 });
    expect(ledger.spentUsd).toBe("0.0000041");
    expect(ledger.isEstimated).toBe(false);
  });

  test("estimates unreported usage at the highest input price", () => {
    const ledger = new CostLedger(prices, "1");
    ledger.addEstimate(1_000, 10);
    expect([ledger.spentUsd, ledger.isEstimated]).toEqual(["0.000203", true]);
  });

  test("lets a call be made that just fits, and none that costs more", () => {
    const ledger = new CostLedger(prices, "0.0005");
    ledger.checkBudget(1_000, 1_000);
    ledger.add({ ...noTokens, cachedInput: 1 });
    expect(() => ledger.checkBudget(1_000, 1_000)).toThrow(expect.objectContaining({ code: "budget_spent" }));
  });
});

test.each([
  { steps: 0, budgetUsd: "1" },
  { steps: 1.5, budgetUsd: "1" },
  { steps: 1, budgetUsd: "1e3" },
  { steps: 1, budgetUsd: "-1" },
  { steps: 1, budgetUsd: "" },
])("refuses the limits %j", (limits) => {
  expect(() => checkAgentLimits(limits)).toThrow(expect.objectContaining({ code: "usage" }));
});
