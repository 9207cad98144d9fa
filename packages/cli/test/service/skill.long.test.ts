import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../../../service/test/running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

/** An agent that has the skill only: it runs the lines of its blocks, with the addresses of its task. */
const skill = readFileSync(new URL("../../../agent-tools/SKILL.md", import.meta.url), "utf8");
const lines = [...skill.matchAll(/```sh\n([^]*?)```/gu)].flatMap(([, code = ""]) => code.trim().split("\n"));

let running: TestService;
let site: Site;
let folder: string;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({
    "/": `<title>Shop</title><nav>Menu</nav><main><h1>Shop</h1><table id="prices"><tr><th>product</th><th>price</th></tr><tr><td>oak chair</td><td>120 EUR</td></tr></table><dl><dt>price</dt><dd>120 EUR</dd></dl></main>`,
    "/search": `<title>Search</title><h1>Search</h1><form action="/found"><label>Product <input name="q"></label><button>Search</button></form>`,
    "/found": `<title>Found</title><h1>Found</h1><dl><dt>price</dt><dd>120 EUR</dd></dl>`,
  });
  folder = await mkdtemp(join(tmpdir(), "cloud-browser-skill-"));
  const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
  const command = join(folder, "cloud-browser");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" --conditions=@cloud-browser/source "${cli}" "$@"\n`);
  await chmod(command, 0o755);
  const product = { type: "object", properties: { price: { type: "string" } }, required: ["price"] };
  await writeFile(join(folder, "product.schema.json"), JSON.stringify(product));
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await running?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Runs lines of the skill in one shell, with other addresses; a line is named by how it begins. */
async function shell(
  names: readonly string[],
  replaced: Readonly<Record<string, string>> = {},
  before = "",
): Promise<{ code: number; stdout: string }> {
  const script = names.map((name) => {
    const line = lines.find((one) => one.startsWith(name));
    if (line === undefined) throw new Error(`the skill has no line that begins with ${name}`);
    return Object.entries(replaced).reduce((text, [from, to]) => text.replaceAll(from, to), line);
  });
  const env = {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    CLOUD_BROWSER_BASE_URL: running.service.url,
    CLOUD_BROWSER_API_KEY: running.service.apiKey,
  };
  return new Promise((resolve) => {
    execFile("bash", ["-euc", [before, ...script].join("\n")], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error !== null) console.error(script, stderr);
      resolve({ code: error === null ? 0 : Number(error.code), stdout });
    });
  });
}

let id = "";

test("first: it finds out whether the server is there", async () => {
  expect((await shell(["cloud-browser doctor"])).stdout).toMatch(/\S/u);
});

test("1: it reads a page, and parts of it", async () => {
  const { code, stdout } = await shell(
    [
      "id=$(cloud-browser open",
      'cloud-browser scrape "$id" > page.md',
      'cloud-browser scrape "$id" --main-content',
      'cloud-browser scrape "$id" --selector',
    ],
    { "https://example.com": `${site.url}/` },
    "trap 'echo \"id=$id\"' EXIT",
  );
  expect(code).toBe(0);
  expect(await readFile(join(folder, "page.md"), "utf8")).toContain("| oak chair | 120 EUR |");
  expect(stdout).not.toContain("Menu");
  id = /^id=(\S+)$/mu.exec(stdout)?.[1] ?? "";
  expect(id).not.toBe("");
});

test("2: it gets data in a structure of its own, and lists pictures", async () => {
  const { code, stdout } = await shell(
    ['cloud-browser scrape "$id" --schema', 'cloud-browser scrape "$id" --images'],
    {},
    `id=${id}`,
  );
  expect(code).toBe(0);
  expect(stdout).toContain("120 EUR");
});

test("3: it starts a task, follows it from another shell, and finds it in the list", async () => {
  const task = {
    "open https://shop.example and extract the prices": `open ${site.url}/search, fill 'Product' with 'oak chair', click the button 'Search' and extract the price`,
  };
  const start = await shell(["run=$(cloud-browser automate"], task, "trap 'echo \"run=$run\"' EXIT");
  const run = /^run=(\S+)$/mu.exec(start.stdout)?.[1] ?? "";
  expect({ code: start.code, run }).toEqual({ code: 0, run: expect.stringMatching(/^[\w-]{36}$/u) });
  const { code, stdout } = await shell(
    ['cloud-browser runs follow "$run"', 'cloud-browser runs show "$run"', "cloud-browser runs ls"],
    {},
    `run=${run}`,
  );
  expect(code).toBe(0);
  expect(stdout).toContain("120 EUR");
  expect(stdout).toContain(run);
});

test("4: it runs the function that came of it, and reads it as a program", async () => {
  const list = await shell(["cloud-browser functions ls --json"]);
  const [{ function_id = "" } = {}]: { function_id?: string }[] = JSON.parse(list.stdout);
  const { code, stdout } = await shell(
    ['cloud-browser run "$function"', 'cloud-browser functions show "$function"'],
    { ' --var product="pine chair"': "" },
    `function=${function_id}`,
  );
  expect(code).toBe(0);
  expect(stdout).toContain("120 EUR");
  expect(stdout).toContain("playwright");
});

test("5: it looks at what happened, ends the session, and fetches the recording", async () => {
  const { code, stdout } = await shell(
    [
      'cloud-browser timeline "$id"',
      'cloud-browser cookies "$id"',
      'cloud-browser files ls "$id"',
      'cloud-browser end "$id"',
      'cloud-browser replay "$id"',
      "cloud-browser ls --json",
    ],
    {},
    `id=${id}`,
  );
  expect(code).toBe(0);
  expect(stdout).toContain(id);
  expect((await readFile(join(folder, "session.mp4"))).subarray(4, 8).toString()).toBe("ftyp");
});
