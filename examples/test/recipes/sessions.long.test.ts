/** Recipes that need sessions, with the service of this repository on a real browser, and sites on loopback. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCloudBrowser } from "@cloud-browser/client";
import { startService, type RunningService } from "@cloud-browser/service";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHarbour } from "../../servers/harbour.ts";
import type { LocalServer } from "../../servers/listen.ts";
import { startShop } from "../../servers/shop.ts";
import { makeEnv, runRecipe as run, startRecipe } from "./start-recipe.ts";

const stack = new AsyncDisposableStack();
let service: RunningService;
let harbour: LocalServer;
let shop: LocalServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recipes-"));
  stack.defer(() => rm(folder, { recursive: true }));
  harbour = stack.use(await startHarbour());
  shop = stack.use(await startShop());
  const allow = [harbour, shop].map(({ url }) => new URL(url).host);
  const profiles = { keys: Buffer.alloc(32, 7).toString("base64") };
  service = stack.use(await startService({ allow, profiles, automationWord: "acme", serviceWord: "acme" }));
});
afterAll(() => stack.disposeAsync());

const makeOwnEnv = (): Record<string, string> => makeEnv(service.url, service.apiKey);

describe("pages", () => {
  test("follows the links of a site", async () => {
    const result = await run("pages/follow-links.ts", [`${harbour.url}/`], makeOwnEnv());
    expect(result).toEqual({
      code: 0,
      stderr: "",
      isAsTold: true,
      lines: ["/: # Harbour", "/piers/1: # Pier 1", "/piers/2: # Pier 2"],
    });
  });

  test("scrapes behind a login", async () => {
    const env = { ...makeOwnEnv(), SITE_NAME: "ada", SITE_PASSWORD: "enchantress" };
    const result = await run("pages/scrape-behind-a-login.ts", [harbour.url], env);
    const lines = ["# Account of Ada", "", "Your season ticket is valid until October."];
    expect(result).toEqual({ code: 0, stderr: "", isAsTold: true, lines });
    // The second time it is logged in from the beginning.
    expect(await run("pages/scrape-behind-a-login.ts", [harbour.url], makeOwnEnv())).toEqual({
      code: 0,
      stderr: "",
      isAsTold: true,
      lines,
    });
  });

  test("lists images with their sizes", async () => {
    const { session_id } = await service.open({ url: harbour.url });
    const { code, lines, stderr, isAsTold } = await run("pages/list-images-with-sizes.ts", [session_id], makeOwnEnv());
    expect([code, stderr, isAsTold]).toEqual([0, "", true]);
    expect(lines).toEqual([
      expect.stringMatching(/^Pier 1 at low tide: image\/svg\+xml, \d{3} bytes$/),
      expect.stringMatching(/^The morning boat: image\/svg\+xml, 2\d\d\d bytes$/),
    ]);
  });

  test.for(["pages/extract-with-valibot.ts", "pages/extract-with-json-schema.ts"])("%s", async (file) => {
    const tea = await service.open({ url: `${shop.url}/?q=green+tea` });
    expect(await run(file, [tea.session_id], makeOwnEnv())).toEqual({
      code: 0,
      stderr: "",
      isAsTold: true,
      lines: ["Green tea: 4.50"],
    });
    const form = await service.open({ url: shop.url });
    const { code, lines, stderr } = await run(file, [form.session_id], makeOwnEnv());
    expect([code, lines, stderr]).toEqual(file.includes("valibot") ? [0, ["failed"], ""] : [1, ["no tea: failed"], ""]);
  });
});

describe("drivers", () => {
  const ferries = ["# Pier 2", "", "To the town, every half hour."];

  test("drives a session by Playwright", async () => {
    const result = await run("drivers/drive-with-playwright.ts", [harbour.url], makeOwnEnv());
    expect(result).toEqual({ code: 0, stderr: "", isAsTold: true, lines: ferries });
  });

  test("drives a session by Puppeteer", async () => {
    const { code, lines, stderr, isAsTold } = await run("drivers/drive-with-puppeteer.ts", [harbour.url], makeOwnEnv());
    expect([code, lines[0], stderr, isAsTold]).toEqual([0, "# Pier 1", "", true]);
  });

  test("uploads a file", async () => {
    const file = join(folder, "photo.png");
    await writeFile(file, "twelve bytes");
    const { code, lines, stderr, isAsTold } = await run(
      "drivers/upload-a-file.ts",
      [`${harbour.url}/upload`, file],
      makeOwnEnv(),
    );
    expect([code, lines.at(-1), stderr, isAsTold]).toEqual([0, "Received: photo.png, 12 bytes", "", true]);
  });

  test("fetches a download", async () => {
    const file = join(folder, "timetable.csv");
    const result = await run("drivers/fetch-downloads.ts", [harbour.url, file], makeOwnEnv());
    expect(result).toEqual({ code: 0, stderr: "", isAsTold: true, lines: ["timetable.csv: complete, 28 bytes"] });
    expect(await readFile(file, "utf8")).toBe("pier,leaves\n1,14:20\n2,14:35\n");
  });

  test("scrapes many pages, a few sessions at a time", async () => {
    const pages = ["/piers/1", "/piers/2", "/"].map((path) => harbour.url + path);
    const result = await run("drivers/many-sessions.ts", [...pages, "http://169.254.169.254/"], makeOwnEnv());
    expect(result).toMatchObject({ code: 0, stderr: "", isAsTold: true });
    expect(result.lines).toEqual(["# Pier 1", "# Pier 2", "# Harbour", expect.stringMatching(/^failed: .*422/)]);
  });
});

describe("persons and runs", () => {
  test("a program asks a person, and a script answers", async () => {
    const { session_id } = await service.open({ url: harbour.url });
    const asking = startRecipe("persons/ask-a-person.ts", { args: [session_id], env: makeOwnEnv() });
    await asking.line(/a person is asked/);
    const result = await run("persons/answer-handovers.ts", ["1"], makeOwnEnv());
    expect(result).toEqual({
      code: 0,
      stderr: "",
      isAsTold: true,
      lines: ["done: Log in as the test user, please."],
    });
    expect((await asking.result).lines).toEqual(["a person is asked", "go on: by the script"]);
  });

  test("a person sees a session, and takes the control", async () => {
    const { session_id } = await service.open({ url: harbour.url });
    const { code, lines, stderr } = await run("persons/watch-and-steer.ts", [session_id], makeOwnEnv());
    expect([code, stderr]).toEqual([0, ""]);
    const want = ["image/jpeg of the page", "you have the control; what the program does waits"];
    expect(lines.toSorted()).toEqual(want);
  });

  test("cancels a run by Ctrl-C", async () => {
    const task = `Open ${harbour.url}, wait 60 seconds, extract the text`;
    const running = startRecipe("runs/cancel-by-ctrl-c.ts", { args: [task], env: makeOwnEnv() });
    await running.line(/\S/);
    running.kill("SIGINT");
    const { code, lines, stderr, isAsTold } = await running.result;
    expect([code, lines.at(-1), stderr, isAsTold]).toEqual([130, "cancelled", "", true]);
  });

  test("goes on with a run after a loss", async () => {
    const { code, lines, stderr, isAsTold } = await run(
      "runs/go-on-after-a-loss.ts",
      [`Open ${harbour.url}, extract the text`],
      makeOwnEnv(),
    );
    expect([code, stderr, isAsTold, lines.at(-1)]).toEqual([0, "", true, "done"]);
    const readers = lines.slice(0, -1).map((line) => line.split(" ", 1)[0]);
    expect(readers).toEqual(["first", "first", ...readers.slice(2).map(() => "second")]);
  });

  test("runs a function again, with another value", async () => {
    const client = createCloudBrowser({ baseUrl: service.url, apiKey: service.apiKey });
    const stream = await client.automate({ query: `Open ${shop.url}, search for green tea, extract the table` });
    expect((await stream.outcome()).type).toBe("done");
    const { code, lines, stderr, isAsTold } = await run(
      "runs/rerun-a-function.ts",
      ["search_term=black tea"],
      makeOwnEnv(),
    );
    expect([code, stderr, isAsTold]).toEqual([0, "", true]);
    expect(lines.join()).toContain('"Black tea"');
  });

  test("uses words of a service's own", async () => {
    const result = await run("calls/use-own-words.ts", [`Open ${harbour.url}, extract the text`], makeOwnEnv());
    expect(result).toEqual({ code: 0, stderr: "", isAsTold: true, lines: ["/api/acme/start", "done"] });
  });
});
