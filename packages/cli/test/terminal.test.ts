/** What a terminal is shown, and what a pipe gets. */
import { expect, test } from "vitest";
import { harmless, jsonText, printable, byteSize } from "../src/terminal/printable.ts";
import { hasColors } from "../src/terminal/terminal.ts";
import { answerJson, makeSample, startFake } from "./fake-service.ts";
import { runCli } from "./run-cli.ts";

const id = "0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b";
/** What a page may put into a title: it clears the screen, sets the title of the window, turns text around, begins a line, rings. */
const rude = "Fer\u001b[2J\u001b]0;x\u0007\u202ery\nboat\r\u009b31m 東京 é";
/** All that a terminal would obey. */
const obeyed = /(?![\t\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Runs a command against a server with one session, and one page of Markdown. */
async function show(args: readonly string[], columns?: number, env: Record<string, string> = {}) {
  const session = { ...makeSample("Session"), session_id: id, state: "active", url: "https://a.example/", title: rude };
  await using service = await startFake({
    "GET /control/sessions": answerJson({ sessions: [session, session] }),
    [`POST /sessions/${id}/page/scrape`]: answerJson({ markdown: `# ${rude}\r\n\tpre` }),
  });
  const all = { CLOUD_BROWSER_BASE_URL: service.url, CLOUD_BROWSER_API_KEY: "k", ...env };
  return await runCli(args, { env: all, ...(columns === undefined ? {} : { columns }) });
}

test("a list on a terminal is as wide as the terminal, and obeys no page", async () => {
  const { code, stdout } = await show(["ls"], 60, { NO_COLOR: "1" });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  expect(lines[1]).toMatch(/…$/);
  expect(stdout).not.toMatch(obeyed);
});

test("a list in a pipe is whole, and obeys no page", async () => {
  const { stdout } = await show(["ls"]);
  expect(stdout).toContain("https://a.example/ Fer[2J]0;xry boat 31m 東京 é\n");
  expect(stdout).not.toMatch(obeyed);
});

test("headers are bold on a terminal, and where it is asked for", async () => {
  expect((await show(["ls"], 200)).stdout).toContain("\u001b[1mSESSION");
  expect((await show(["ls"], undefined, { FORCE_COLOR: "1" })).stdout).toContain("\u001b[1mSESSION");
  expect((await show(["ls"], 200, { NO_COLOR: "1" })).stdout).not.toContain("\u001b");
});

test("Markdown on a terminal shows what it would obey, and is as it was in a pipe", async () => {
  const output = (await show(["scrape", id], 80)).stdout;
  expect(output).toBe("# Fer␛[2J␛]0;x␇ry\nboat␍\ufffd31m 東京 é\n\tpre\n");
  expect(output).not.toMatch(obeyed);
  expect((await show(["scrape", id])).stdout).toBe(`# ${rude}\r\n\tpre\n`);
});

test("JSON is the same value, and obeys no page", async () => {
  const { stdout } = await show(["ls", "--json"]);
  expect(stdout.replaceAll("\n", "")).not.toMatch(obeyed);
  expect(JSON.parse(stdout)).toMatchObject([{ title: rude }, { title: rude }]);
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ TERM: "dumb" }, true, false],
])("%j with a terminal %j gives colours: %j", (env, isTTY, expected) => {
  expect(hasColors({ isTTY }, env)).toBe(expected);
});

test("every control character is harmless in every form", () => {
  for (let code = 0; code < 0x3000; code++) {
    const sign = String.fromCharCode(code);
    const remainder = /[\t\n]/.test(sign) ? sign : "";
    expect(harmless(`a${sign}b`).replace(remainder, "")).not.toMatch(obeyed);
    expect(printable(`a${sign}b`)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(jsonText(sign)).not.toMatch(obeyed);
    expect(JSON.parse(jsonText(sign))).toBe(sign);
  }
});

test("sizes are as people read them", () => {
  expect([0, 1023, 1024, 1536, 2 ** 20, 5 * 2 ** 30].map(byteSize)).toEqual(["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "1.0 MiB", "5.0 GiB"]); // prettier-ignore
});
