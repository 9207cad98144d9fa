import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService, type RunningService, type ServiceOptions } from "@cloud-browser/service";
import { chromium, type Browser, type Page } from "playwright-core";
import { findChromium } from "../../browsers/src/chromium/chromium-binary.ts";

/** A service with its console, a browser of a person, and a site. */
export interface ConsoleFixture extends AsyncDisposable {
  readonly service: RunningService;
  readonly browser: Browser;
  /** Address of the site. */
  readonly site: string;
  /** Opens the console in a browser of its own, signed in; what went wrong in it is kept. */
  readonly signIn: (options?: Parameters<Browser["newContext"]>[0]) => Promise<ConsolePage>;
}

/** The console as a person has it. */
export interface ConsolePage {
  readonly page: Page;
  /** Errors of the page, and what its policy refused. */
  readonly faults: readonly string[];
}

/** Answers with a page for an address. */
export type Site = (path: string) => string;

/** Starts a service without limits that a test would meet, and a browser that shows its console. */
export async function startConsole(html: Site, options: ServiceOptions = {}): Promise<ConsoleFixture> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(html(request.url ?? "/"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const site = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/`;
  const data = await mkdtemp(join(tmpdir(), "cloud-browser-console-"));
  const service = await startService({ data, allow: ["127.0.0.1"], ...options });
  const { executable, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-gpu"],
    env: { ...process.env, ...env },
  });
  return {
    service,
    browser,
    site,
    async signIn(context) {
      const page = await (await browser.newContext({ viewport: { width: 1360, height: 850 }, ...context })).newPage();
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        // A session may end while somebody connects to see it.
        const isRefusedSocket = message.text().startsWith("WebSocket connection");
        if (message.type() === "error" && !isRefusedSocket) faults.push(message.text());
      });
      await page.goto(service.url);
      await page.getByLabel("API key").fill(service.apiKey);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Sessions", exact: true }).waitFor();
      return { page, faults };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service.close();
      server.close();
      server.closeAllConnections();
      await rm(data, { recursive: true });
    },
  };
}

/** Opens a session on an address by the dialog; resolves when it is shown. */
export async function openSession(page: Page, url: string, title: string): Promise<void> {
  await page.getByRole("button", { name: "Open a session" }).click();
  await page.getByLabel("Address").fill(url);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
}
