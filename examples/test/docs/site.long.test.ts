/** The site as it is built: every link of it, every page in Markdown, and what a person does there, in Chromium. */
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import axe, { type AxeResults } from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveSite, type ServedSite } from "../../../docs/scripts/serve-site.ts";
import { findChromium } from "../../../packages/browsers/src/chromium/chromium-binary.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const dist = join(root, "docs/dist");

/** Pages of each kind, as a person meets them. */
const places = [
  "/",
  "/overview/",
  "/interface/",
  "/requirements/",
  "/checks/",
  "/checks/scrape/rejects-unknown-property/",
  "/errors/service/",
  "/contract/page_scrape/",
  "/api/client/",
  "/commands/conformance/",
];

let site: ServedSite;
let browser: Browser;
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  const script = [join(root, "scripts/bootstrap.mjs"), "docs", "--", "--build"];
  await promisify(execFile)(process.execPath, script, { cwd: root, maxBuffer: 2 ** 26 });
  pages = new Map(
    globSync("**/*.html", { cwd: dist }).map((path) => [
      `/${path.replaceAll("\\", "/")}`,
      readFileSync(join(dist, path), "utf8"),
    ]),
  );
  site = await serveSite(0);
  const { executable, env } = await findChromium();
  browser = await chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-gpu"],
    env: { ...process.env, ...env },
  });
}, 1_200_000);
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

/** Returns what leads nowhere of the links of a page: a file that is not there, or a place of it that is not. */
function listDeadLinks(path: string, html: string): string[] {
  const links = [...html.matchAll(/<(?:a|link|script|img|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(
    ([, to = ""]) => to.replaceAll("&#38;", "&").replaceAll("&amp;", "&"),
  );
  return [...new Set(links)].flatMap((to) => {
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(to)) return [];
    const { pathname, hash } = new URL(to, `http://site.invalid${path.replace(/index\.html$/, "")}`);
    const targetPath = decodeURIComponent(pathname);
    const file = targetPath.endsWith("/") ? `${targetPath}index.html` : targetPath;
    if (!existsSync(join(dist, file))) return [`${path} -> ${to}`];
    const target = pages.get(file);
    const id = decodeURIComponent(hash.slice(1));
    return id === "" || id === "_top" || target === undefined || target.includes(` id="${id}"`)
      ? []
      : [`${path} -> ${to}`];
  });
}

describe("as files", () => {
  test("no link of any page leads nowhere", () => {
    expect(pages.size).toBeGreaterThan(700);
    expect([...pages].flatMap(([path, html]) => listDeadLinks(path, html))).toEqual([]);
  });

  test("a page loads nothing from elsewhere", () => {
    const loads =
      /<(?:script|img|source|iframe)\b[^>]*\ssrc="(?:https?:)?\/\/|<link\b[^>]*\srel="(?:stylesheet|preload|preconnect|icon)"[^>]*\shref="(?:https?:)?\/\//;
    expect([...pages].filter(([, html]) => loads.test(html)).map(([path]) => path)).toEqual([]);
  });

  test("every page is there as Markdown, and names it", () => {
    const missing = [...pages].flatMap(([path, html]) => {
      if (path === "/404.html") return [];
      const beside = path === "/index.html" ? "/index.md" : path.replace(/\/index\.html$/, ".md");
      const isNamed = html.includes(`rel="alternate" type="text/markdown" href="${beside}"`);
      return isNamed && existsSync(join(dist, beside)) ? [] : [path];
    });
    expect(missing).toEqual([]);
  });

  test("no link of a Markdown page, nor of llms.txt, leads nowhere", () => {
    const files = globSync(["**/*.md", "llms.txt"], { cwd: dist });
    expect(files.length).toBeGreaterThan(700);
    const dead = files.flatMap((path) => {
      const text = readFileSync(join(dist, path), "utf8")
        .replaceAll(/^(`{3,}).*?^\1/gms, "")
        .replaceAll(/`[^`\n]*`/g, "");
      return [...text.matchAll(/\]\((\/[^)#\s]*|[^)#\s:]+\.md)/g)]
        .map(([, to = ""]) => to)
        .filter((to) => !existsSync(join(dist, to.startsWith("/") ? to : posix.join(posix.dirname(path), to))))
        .map((to) => `${path} -> ${to}`);
    });
    expect(dead).toEqual([]);
  });
});

/** Opens a page, and keeps what goes wrong there. */
async function open(
  path: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ page: Page; faults: string[] }> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on(
    "request",
    (request) =>
      request.url().startsWith(site.url) || request.url().startsWith("data:") || faults.push(`loads ${request.url()}`),
  );
  await page.goto(site.url + path);
  return { page, faults };
}

describe("in Chromium", () => {
  test.each([
    ["light", ""],
    ["dark", '{ runOnly: ["color-contrast"] }'], // the rest is as in light
  ] as const)("axe finds nothing: %s", async (colorScheme, options) => {
    const results: string[] = [];
    for (const place of places) {
      const { page, faults } = await open(place, { colorScheme, reducedMotion: "reduce" });
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
      // The button of the search says its key, too, which is not a part of its name.
      const own = violations.filter(
        ({ nodes }) => !nodes.every(({ html }) => html.startsWith("<button data-open-modal")),
      );
      for (const { id, nodes } of own) results.push(`${place} ${id}: ${nodes[0]?.html.slice(0, 160) ?? ""}`);
      results.push(...faults);
      await page.context().close();
    }
    expect(results).toEqual([]);
  });

  test.each([
    [360, 740],
    [768, 1024],
    [3840, 2160],
  ])("no page is wider than a screen of %d pixels", async (width, height) => {
    const wide: string[] = [];
    for (const place of places) {
      const { page } = await open(place, { viewport: { width, height } });
      const over = await page.evaluate<number>(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      if (over > 0) wide.push(`${place}: ${over} pixels`);
      await page.context().close();
    }
    expect(wide).toEqual([]);
  });

  test.each([
    ["storage-failed", "/errors/service/", "storage-failed"],
    ["scrape/image-url-type", "/checks/scrape/image-url-type/", "Remedy"],
    ["createCloudBrowser", "/api/client/functions/createcloudbrowser/", "Returns"],
  ])("the search finds %s, without a network", async (words, path, text) => {
    const { page, faults } = await open("/");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByPlaceholder("Search").fill(words);
    const hit = page.locator(`dialog a[href^="${path}"]`).first();
    await hit.click();
    await page.waitForURL((url) => url.pathname === path);
    await page.getByRole("heading", { name: text }).first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("requirements are filtered by words, level and operation, and the address keeps what is chosen", async () => {
    const { page } = await open("/requirements/");
    const rows = page.locator(".requirement:visible");
    const all = await rows.count();
    await page.getByLabel("Words").fill("unknown property");
    await page.getByLabel("Level").selectOption("stated");
    await page.getByLabel("Operation").selectOption("page_scrape");
    const some = await rows.count();
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(all);
    expect(await page.getByRole("status").textContent()).toBe(`${some} of ${all}`);
    await page.reload();
    await page.getByLabel("Words").waitFor();
    expect(await rows.count()).toBe(some);
    await page.context().close();
  });

  test("a requirement leads to its check, the check back, and to its Markdown", async () => {
    const { page } = await open("/requirements/#scrape.unknown-property-rejected");
    await page.locator('[id="scrape.unknown-property-rejected"] ~ dl a[href^="/checks/"]').first().click();
    await page.getByRole("heading", { name: "Remedy" }).waitFor();
    const { pathname } = new URL(page.url());
    const answer = await page.request.get(
      site.url + String(await page.getByRole("link", { name: "Markdown" }).getAttribute("href")),
    );
    expect(answer.headers()["content-type"]).toContain("text/markdown");
    expect(await answer.text()).toContain(`# ${pathname.replace("/checks/", "").replace(/\/$/, "")}\n`);
    await page.context().close();
  });
});
