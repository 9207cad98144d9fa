import { Command } from "commander";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { register as registerFunctions } from "../../src/cli/functions.ts";
import { register as registerRun } from "../../src/cli/run.ts";
import { startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { products } from "@cloud-browser/testing/automation/product-pages.ts";
import { startCommand } from "../command-line.ts";
import { startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let site: AutomationSite;
let id: string;
let output: string[];
let progress: string[];

beforeAll(async () => {
  site = await startAutomationSite();
  running = await startTestService();
  const query = `Open ${site.url}/products, fill Search with "Shelf", click the Search button, extract the table`;
  const events = await (await running.ask("POST", "/api/automation/start", { query })).text();
  id = /"function_id":"([0-9a-f-]{36})"/.exec(events)?.[1] ?? events;
});

beforeEach(() => {
  output = [];
  progress = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void output.push(text));
  vi.spyOn(console, "error").mockImplementation((text: string) => void progress.push(text));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean(output.push(String(text))));
  return () => vi.restoreAllMocks();
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Runs a command as the command line does; gives what it writes to standard output. */
async function call(...words: readonly string[]): Promise<string> {
  const program = new Command("cloud-browser").exitOverride().configureOutput({ writeErr: () => {} });
  for (const register of [registerRun, registerFunctions]) register(program);
  await program.parseAsync([...words, "--data", running.data], { from: "user" });
  return output.join("\n");
}

describe("cloud-browser run", () => {
  test("prints the data, and one line of progress for each tool", async () => {
    const shelves = products.filter(({ Name }) => Name.startsWith("Shelf"));
    expect(JSON.parse(await call("run", id))).toEqual({ table: shelves });
    expect(progress.map((line) => line.split(" ", 1)[0])).toEqual(["open_page", "fill", "click", "extract"]);
  });

  test("takes values of variables, and prints only the data as JSON with --json", async () => {
    const lamps = products.filter(({ Name }) => Name.startsWith("Lamp 1"));
    expect(JSON.parse(await call("run", id, "--json", "--var", "search=Lamp 1"))).toMatchObject({
      table: lamps.slice(0, 5),
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
    await expect(call("run", "0f0e0d0c-0b0a-4909-8807-060504030201")).rejects.toThrow(/no such function/);
  });

  test("fails with the text of the error and the exit code 3", async () => {
    const query = `Open ${site.url}/late, click "Late one"`;
    const events = await (await running.ask("POST", "/api/automation/start", { query })).text();
    const late = /"function_id":"([0-9a-f-]{36})"/.exec(events)?.[1] ?? events;
    await site[Symbol.asyncDispose]();
    const { code, stdout, stderr } = await startCommand(["run", late, "--data", running.data]).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: "",
      stderr: expect.stringMatching(/can't be opened.*\(step_failed\)\n$/) as unknown,
    });
    site = await startAutomationSite();
  });
});

describe("cloud-browser functions", () => {
  test("lists them with their variables and tasks", async () => {
    const listed = await call("functions");
    expect(listed.split("\n").find((line) => line.startsWith(id))).toMatch(
      /\(search=Shelf\) {2}Open http:.*extract the table$/,
    );
    output = [];
    expect(JSON.parse(await call("functions", "--json"))).toContainEqual(expect.objectContaining({ function_id: id }));
  });

  test("shows one as source", async () => {
    expect(await call("functions", "show", id)).toMatch(
      /export async function \w+\(page: Page, \{ search = "Shelf" \}/,
    );
  });

  test("deletes one", async () => {
    await call("functions", "delete", id);
    await expect(call("functions", "show", id)).rejects.toThrow(/no such function/);
  });
});
