import { setTimeout as delay } from "node:timers/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BrowserPool } from "@cloud-browser/browsers";
import { diffUsage, ProcessTree, sumUsage } from "@cloud-browser/testing/process-tree.ts";
import { startSite } from "@cloud-browser/testing/site.ts";
import { percentile, type Figure } from "../measuring/figure.ts";
import { openLiveViewer, openPlainViewer, type Viewer } from "../measuring/screencast-viewer.ts";
import { startServiceProcess, type StartedService } from "../measuring/started-service.ts";

/** Sessions that are seen at a time. */
const many = 16;
/** Clicks of one viewer in each round. */
const clicks = 15;
/** How long a page is seen for its bytes and its processor time, in milliseconds. */
const watchMs = 8_000;
/** How often the two ways alternate. */
const rounds = 3;

const text = "<p>The ferry leaves at noon, and again at four; tickets are sold on board.</p>".repeat(14);
const pages = {
  "/still": `<body>${text}`,
  // The whole page changes: a picture after the click is one that shows it.
  "/click": `<body onmousedown="document.body.style.background=(document.body.style.background==='red'?'white':'red')">${text}`,
  "/typing": `<body><textarea autofocus style="width:90%;height:300px;caret-color:transparent"></textarea>${text}`,
  "/animated": `<body><style>@keyframes x{to{transform:translateX(900px)}} i{display:block;width:200px;height:200px;background:teal;animation:x 2s infinite alternate linear}</style><i></i>${text}`,
};

/** A way to see pages, and how pages are opened for it. */
interface Way extends AsyncDisposable {
  /** Opens a page, and a viewer of it. */
  readonly open: (path: string) => Promise<Viewer>;
  /** Opens a page that nobody sees. */
  readonly openUnseen: (path: string) => Promise<AsyncDisposable>;
  /** Processor time of the service, or of the browser. */
  readonly tree: () => ProcessTree;
}

/** The live view beside a plain CDP screencast: from a click to its picture, bytes, processor. Both alternate. */
export async function measureLive(count = rounds): Promise<Figure[]> {
  await using site = await startSite(pages);
  await using live = await liveWay(site.url);
  await using plain = await plainWay(site.url);
  const figures: Figure[] = [];
  for (const viewers of [1, many]) {
    const [ofLive, ofPlain]: [number[], number[]] = [[], []];
    for (let round = 0; round < count; round += 1) {
      ofLive.push(...(await clickTimes(live, viewers)));
      ofPlain.push(...(await clickTimes(plain, viewers)));
    }
    figures.push(...beside(`click to its picture, ${viewers} at a time`, "ms", ofLive, ofPlain));
  }
  for (const path of ["/still", "/typing", "/animated"] as const) {
    const [ofLive, ofPlain]: [Watched[], Watched[]] = [[], []];
    for (let round = 0; round < count; round += 1) {
      ofLive.push(await watch(live, path));
      ofPlain.push(await watch(plain, path));
    }
    const name = `${path.slice(1)} page`;
    const kilobytes = (all: readonly Watched[]): number[] => all.map(({ bytes }) => bytes / 1_000);
    figures.push(...beside(`${name}: sent`, "kB/s", kilobytes(ofLive), kilobytes(ofPlain)));
    const core = (all: readonly Watched[]): number[] => all.map((one) => one.core);
    figures.push(...beside(`${name}: processor of its viewer`, "% of a core", core(ofLive), core(ofPlain)));
  }
  return figures;
}

/** Both ways, and their ratio at the median. */
function beside(name: string, unit: string, live: readonly number[], plain: readonly number[]): Figure[] {
  const ratio = percentile(live, 0.5) / percentile(plain, 0.5);
  return [
    { name: `live view: ${name}`, unit, values: live },
    { name: `plain screencast: ${name}`, unit, values: plain },
    ...(Number.isFinite(ratio) && percentile(plain, 0.5) > 0.5
      ? [{ name: `ratio: ${name}`, unit: "median to median", values: [ratio], digits: 2 }]
      : []),
  ];
}

/** How long each click takes until its picture is there, for so many viewers who click at the same time. */
async function clickTimes(way: Way, viewers: number): Promise<number[]> {
  const all = await Promise.all(Array.from({ length: viewers }, () => way.open("/click")));
  const values = (await Promise.all(all.map(readClickTimes))).flat();
  await Promise.all(all.map((viewer) => viewer[Symbol.asyncDispose]()));
  return values;
}

/** Clicks again and again; viewers begin one after the other. */
async function readClickTimes(viewer: Viewer, index: number): Promise<number[]> {
  const values: number[] = [];
  await delay(500 + index * 40);
  for (let click = 0; click < clicks; click += 1) {
    const picture = viewer.nextPicture();
    const from = performance.now();
    viewer.click();
    await picture;
    values.push(performance.now() - from);
    // Until the page is still again.
    await delay(500);
  }
  return values;
}

interface Watched {
  /** Bytes of pictures a second. */
  readonly bytes: number;
  /** What the viewer adds to the processor time of a page that nobody sees, in percent of a core. */
  readonly core: number;
}

async function watch(way: Way, path: string): Promise<Watched> {
  const unseen = await way.openUnseen(path);
  const idle = await readCore(way.tree(), async () => delay(watchMs));
  await unseen[Symbol.asyncDispose]();
  const viewer = await way.open(path);
  await delay(1_000);
  const { bytes } = viewer.total;
  const withViewer = await readCore(way.tree(), async () => {
    for (const until = performance.now() + watchMs; performance.now() < until; await delay(150))
      if (path === "/typing") viewer.type("word "[Math.floor(Math.random() * 5)] ?? "x");
  });
  const watched = { bytes: (viewer.total.bytes - bytes) / (watchMs / 1_000), core: withViewer - idle };
  await viewer[Symbol.asyncDispose]();
  return watched;
}

async function readCore(tree: ProcessTree, work: () => Promise<void>): Promise<number> {
  const [before, from] = [tree.sample(), performance.now()];
  await work();
  return (100 * sumUsage(diffUsage(before, tree.sample()))) / ((performance.now() - from) / 1_000);
}

async function liveWay(site: string): Promise<Way> {
  const data = await mkdtemp(join(tmpdir(), "cloud-browser-live-"));
  const service: StartedService = await startServiceProcess(data, many + 1);
  const openSession = async (path: string): Promise<{ id: string; end: () => Promise<unknown> }> => {
    const { session_id: id } = await service.open({ url: site + path, record: false });
    return { id, end: () => service.ask("DELETE", `/control/sessions/${id}`) };
  };
  return {
    open: async (path) => {
      const { id, end } = await openSession(path);
      const viewer = await openLiveViewer(service, id);
      return { ...viewer, [Symbol.asyncDispose]: async () => void (await viewer[Symbol.asyncDispose](), await end()) };
    },
    openUnseen: async (path) => {
      const { end } = await openSession(path);
      return { [Symbol.asyncDispose]: async () => void (await end()) };
    },
    tree: () => new ProcessTree(service.pid),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function plainWay(site: string): Promise<Way> {
  const pool = await BrowserPool.start({ contextsPerBrowser: many + 1 });
  let pid = 0;
  const openPage = async (path: string) => {
    const pooled = await pool.open();
    pid = pooled.browserPid;
    const page = await pooled.context.newPage();
    await page.goto(site + path);
    return { pooled, page };
  };
  return {
    open: async (path) => {
      const { pooled, page } = await openPage(path);
      const viewer = await openPlainViewer(pooled.context, page);
      return { ...viewer, [Symbol.asyncDispose]: () => pooled.close() };
    },
    openUnseen: async (path) => {
      const { pooled } = await openPage(path);
      return { [Symbol.asyncDispose]: () => pooled.close() };
    },
    tree: () => new ProcessTree(pid),
    [Symbol.asyncDispose]: () => pool.close(),
  };
}
