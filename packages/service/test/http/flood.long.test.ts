import type { AddressInfo } from "node:net";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { makeGate, startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;
let neighbour: SessionView;
/** Sends back what it is sent. */
let sockets: WebSocketServer;
beforeAll(async () => {
  sockets = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data)));
  running = await startTestService();
  site = await startSite({ "/": "<title>Ferries</title><h1>Harbour ferries</h1>" });
  neighbour = await running.open({ url: `${site.url}/` });
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
  for (const socket of sockets.clients) socket.terminate();
  sockets.close();
});

const often = (work: string): string => `setInterval(() => { for (let i = 0; i < 20; i++) { ${work} } }, 10);`;
const long = `const long = "z".repeat(1e5);`;

/** A client that has asked for what a domain of the protocol tells, as tools for developers do. */
const asksFor =
  (...methods: readonly ["DOM.enable" | "DOM.getDocument" | "Debugger.enable" | "CSS.enable", object?][]) =>
  async (driver: Browser): Promise<void> => {
    const page = driver.contexts()[0]?.pages()[0];
    const devtools = page && (await page.context().newCDPSession(page));
    for (const [method, params] of methods) await devtools?.send(method, params);
  };

/** One way in which a page can send much on its own. */
interface Way {
  readonly what: string;
  /** Runs in the page, when a client drives it. */
  readonly script: string;
  /** What that client does first. */
  readonly ready?: (driver: Browser) => Promise<unknown>;
  /**
   * Chromium makes this slowly, or shortens it, so that it depends on the machine whether it is more than may be sent: what is less harms nobody, and the
   * session stays.
   */
  readonly mayFit?: true;
}

const ways: readonly Way[] = [
  { what: "its console", script: often("console.log(long)") },
  {
    what: "its console, with many arguments",
    script: often("console.log(...Array(100).fill(long.slice(0, 1e3)))"),
  },
  {
    what: "its console, with objects that are shown",
    script: often("console.log({ a: long, b: [long], c: new Map([[long, long]]) })"),
    mayFit: true,
  },
  {
    what: "its console, with tables",
    script: often("console.table(Array.from({ length: 50 }, () => ({ a: long, b: long })))"),
    mayFit: true,
  },
  { what: "errors that nobody catches", script: often("setTimeout(() => { throw new Error(long) })") },
  { what: "promises that are rejected", script: often("Promise.reject(new Error(long))") },
  {
    what: "a function of its client",
    script: often("globalThis.tell?.(long)"),
    ready: async (driver) => driver.contexts()[0]?.exposeBinding("tell", () => {}),
  },
  { what: "requests for long addresses", script: often('fetch("data:text/plain," + long + i).catch(() => {})') },
  {
    what: "requests with long bodies",
    script: often('fetch("/x?" + Math.random(), { method: "POST", body: long }).catch(() => {})'),
  },
  { what: "requests with long headers", script: often('fetch("/x", { headers: { x: long } }).catch(() => {})') },
  {
    what: "requests that are refused",
    script: often('fetch("http://[::1]:9/" + long).catch(() => {})'),
    mayFit: true,
  },
  {
    what: "the console of a worker",
    script: `new Worker(URL.createObjectURL(new Blob(['${long} ${often("console.log(long)")}'])))`,
  },
  {
    what: "the console of a frame",
    script: `document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: '<script>${long} ${often("console.log(long)")}</' + "script>" }))`,
  },
  {
    what: "workers that come and go",
    script: often('const url = URL.createObjectURL(new Blob(["close()"])); new Worker(url)'),
  },
  {
    what: "frames that come and go",
    script: often('const f = document.createElement("iframe"); f.name = long; document.body.append(f); f.remove()'),
  },
  {
    what: "messages of a WebSocket",
    script: `const socket = new WebSocket(echo);
      socket.onopen = () => { ${often("if (socket.bufferedAmount < 1e7) socket.send(long)")} }`,
  },
  {
    what: "messages of an event stream",
    script: `new EventSource("/events").onmessage = () => {}`,
  },
  { what: "its titles", script: often("document.title = long + Math.random()"), mayFit: true },
  { what: "dialogs", script: "for (;;) alert(long)", mayFit: true },
  { what: "popups", script: often('open("/none?" + long.slice(0, 1e4))') },
  { what: "popups that do not know it", script: often('open("/", "_blank", "noopener")') },
  { what: "entries of its history", script: often('history.pushState({}, "", "?" + long + i)'), mayFit: true },
  { what: "fragments of its address", script: often("location.hash = long + i"), mayFit: true },
  {
    what: "downloads",
    script: often('Object.assign(document.createElement("a"), { href: "data:," + long, download: long }).click()'),
    mayFit: true,
  },
  {
    what: "changes of its DOM",
    script: often('document.body.setAttribute("x", long + Math.random())'),
    ready: asksFor(["DOM.enable"], ["DOM.getDocument", { depth: -1 }]),
  },
  {
    what: "nodes of its DOM",
    script: often('document.body.append(Object.assign(document.createElement("p"), { title: long }))'),
    ready: asksFor(["DOM.enable"], ["DOM.getDocument", { depth: -1 }]),
    mayFit: true,
  },
  {
    what: "scripts with long names",
    script: often('eval("0 //# sourceURL=" + long + i)'),
    ready: asksFor(["Debugger.enable"]),
  },
  {
    what: "style sheets with long names",
    script: often(
      'document.head.append(Object.assign(document.createElement("style"), { textContent: "p{}/*# sourceURL=" + long + " */" }))',
    ),
    ready: asksFor(["DOM.enable"], ["CSS.enable"]),
    mayFit: true,
  },
];

/** So many times its neighbour is read while a session sends what may fit. */
const readsWhileItFits = 40;

test.each(ways)(
  "a session that floods $what is ended as that, and its neighbour is read meanwhile",
  { timeout: 180_000 },
  async ({ script, ready, mayFit = false }) => {
    const begun = makeGate();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = sockets.address() as AddressInfo;
    await using loud = await startSite({
      "/": `<body><script>fetch("/begin").then(() => { ${long} const echo = "ws://127.0.0.1:${port}"; ${script} })</script>`,
      "/begin": begun.page,
      "/events": (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const more = (): void => {
          while (response.write(`data: ${"z".repeat(100_000)}\n\n`));
        };
        response.on("drain", more);
        more();
      },
    });
    const { session_id: id, cdp_url: url } = await running.open({ url: `${loud.url}/` });
    // One that is not ended would go on through the tests that follow.
    onTestFinished(async () => void (await running.ask("DELETE", `/control/sessions/${id}`)));
    const driver = await chromium.connectOverCDP(url ?? "");
    await ready?.(driver);
    const gone = new Promise((resolve) => driver.once("disconnected", resolve));
    begun.open();
    const view = async (): Promise<SessionView> => readAnswer(await running.ask("GET", `/control/sessions/${id}`));
    const scrapes: number[] = [];
    const isOver = async (): Promise<boolean> =>
      (await view()).state === "ended" || (mayFit && scrapes.length >= readsWhileItFits);
    while (!(await isOver())) {
      const scrape = await running.ask("POST", `/sessions/${neighbour.session_id}/page/scrape`, {});
      scrapes.push(scrape.status);
      expect(await scrape.json()).toMatchObject({ markdown: expect.stringContaining("Harbour ferries") });
    }
    const { end_reason: why } = await view();
    // What is told of long bodies is cut, so their memory may be what ends it.
    expect(mayFit ? [null, "flood"] : ["flood", "memory"]).toContain(why);
    if (why === null) await running.end(id);
    await gone;
    expect(new Set(scrapes)).toEqual(new Set(scrapes.length === 0 ? [] : [200]));
    const neighbourView = await readAnswer<SessionView>(
      await running.ask("GET", `/control/sessions/${neighbour.session_id}`),
    );
    expect(neighbourView.state).toBe("active");
  },
);
