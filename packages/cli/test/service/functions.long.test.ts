import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { products } from "@cloud-browser/testing/automation/product-pages.ts";
import { runHere, startCommand } from "../run-cli.ts";
import { startTestService, type TestService } from "../../../service/test/running-service.ts";

let running: TestService;
let site: AutomationSite;
let id: string;
let progress: string[];

beforeAll(async () => {
  site = await startAutomationSite();
  running = await startTestService();
  const query = `Open ${site.url}/products, fill Search with "Shelf", click the Search button, extract the table`;
  const events = await (await running.ask("POST", "/api/automation/start", { query })).text();
  id = /"function_id":"([0-9a-f-]{36})"/.exec(events)?.[1] ?? events;
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Runs a command; gives what it writes to standard output, and throws its exit code and what it writes to standard error when it fails. */
async function call(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere([...words, "--data", running.data]);
  progress = stderr.split("\n").filter((line) => line !== "");
  if (code !== 0) throw Object.assign(new Error(stderr), { code });
  return stdout;
}

describe("cloud-browser run", () => {
  test("prints the data, and one line of progress for each tool", async () => {
    const shelves = products.filter(({ Name }) => Name.startsWith("Shelf"));
    expect(JSON.parse(await call("run", id))).toEqual({ table: shelves });
    expect(progress.map((line) => line.split(" ", 1)[0])).toEqual(["open_page", "fill", "click", "extract", "done"]);
  });

  test("takes values of variables, and prints what it found as JSON with --json", async () => {
    const lamps = products.filter(({ Name }) => Name.startsWith("Lamp 1"));
    expect(JSON.parse(await call("run", id, "--json", "--var", "search=Lamp 1"))).toMatchObject({
      outcome: "done",
      data: { table: lamps.slice(0, 5) },
    });
    expect(progress).toEqual([]);
  });

  test.each<[what: string, words: string[], expected: RegExp]>([
    ["a variable that the function does not have", ["--var", "serach=x"], /serach: .*has search/],
    ["a value without a name", ["--var", "x"], /name=value/],
  ])("refuses %s", async (_, words, expected) => {
    await expect(call("run", id, ...words)).rejects.toThrow(expected);
  });

  test.each([
    [{ variable: { search: "x" } }, "variable"],
    [[], "body"],
    [null, "body"],
  ])("a malformed body is refused: %j", async (body, place) => {
    const response = await running.ask("POST", `/control/functions/${id}/run`, body);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(place);
  });

  test("says that there is no such function", async () => {
    await expect(call("run", "0f0e0d0c-0b0a-4909-8807-060504030201")).rejects.toMatchObject({ code: 6 });
  });

  test("fails with the text of the error and the exit code 1", async () => {
    const query = `Open ${site.url}/late, click "Late one"`;
    const events = await (await running.ask("POST", "/api/automation/start", { query })).text();
    const late = /"function_id":"([0-9a-f-]{36})"/.exec(events)?.[1] ?? events;
    await site[Symbol.asyncDispose]();
    const { code, stdout, stderr } = await startCommand(["run", late, "--data", running.data]).end;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/can't be opened.*\(step_failed\)\n$/) as unknown,
    });
    site = await startAutomationSite();
  });
});

describe("cloud-browser functions", () => {
  test("lists them with their variables and tasks", async () => {
    const list = await call("functions");
    expect(list.split("\n").find((line) => line.startsWith(id))).toMatch(
      /\(search=Shelf\) {2}Open http:.*extract the table$/,
    );
    expect(JSON.parse(await call("functions", "--json"))).toContainEqual(expect.objectContaining({ function_id: id }));
  });

  test("shows one as source", async () => {
    expect(await call("functions", "show", id)).toMatch(
      /export async function \w+\(page: Page, \{ search = "Shelf" \}/,
    );
  });

  test("deletes one", async () => {
    await call("functions", "delete", id);
    await expect(call("functions", "show", id)).rejects.toMatchObject({ code: 6 });
  });
});
