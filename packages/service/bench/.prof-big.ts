import { BrowserPool } from "/work/main/packages/service/src/browsers/browser-pool.ts";
import { build } from "esbuild";
const { outputFiles } = await build({ entryPoints: ["/work/main/packages/service/src/in-page/entry.ts"], bundle: true, write: false, format: "iife", platform: "browser", target: "chrome120", charset: "utf8" });
const script = outputFiles[0]!.text;
const row = "<tr><td>a 12</td><td>b<b>c</b> of it</td><td><a href=\"http://x.example/\">d</a></td><td>1,234.50</td></tr>";
const plainRow = "<tr><td>alpha</td><td>12</td><td>3.5</td><td>beta</td><td>7</td><td>x</td></tr>";
const shapes: Record<string, (n: number) => string> = {
  table: () => `<table><thead><tr><th>1<th>2<th>3<th>4</tr></thead><tbody>${row.repeat(8000)}</tbody></table>`,
  plainTable: () => `<table><thead><tr><th>1<th>2<th>3<th>4<th>5<th>6</tr></thead><tbody>${plainRow.repeat(8000)}</tbody></table>`,
  tokens: () => `<pre>${'<span class="k">let</span> <span class="n">x</span> = <span class="m">1</span>;\n'.repeat(9000)}</pre>`,
  paragraphs: () => "<p>Some <b>words</b> of a text that <a href=\"http://x.example/a\">goes on</a> for a while.</p>\n".repeat(8000),
  list: () => `<ul>${"<li>a <span class=x>word</span></li>".repeat(15000)}</ul>`,
  divs: () => "<div class=c><div class=d><span>a</span><span>b</span></div></div>".repeat(10000),
  nestedTables: () => ("<table><tr><td>a<td>".repeat(20) + "</table>".repeat(20)).repeat(400),
  nested: () => ("<div>".repeat(100) + "x" + "</div>".repeat(100)).repeat(400),
  text: () => "<p>" + "Just words, and no mark-up at all. It goes on. ".repeat(20) + "</p>" ,
};
shapes.text2 = () => ("<p>" + "Just words, and no mark-up at all. It goes on. ".repeat(20) + "</p>").repeat(1000);
delete shapes.text;
const only = process.argv[2]; const profile = process.argv[3];
const pool = await BrowserPool.start({ maxBrowsers: 1 });
try {
  const { context } = await pool.open();
  for (const [name, make] of Object.entries(shapes)) {
    if (only && only !== "all" && only !== name) continue;
    const page = await context.newPage();
    const html = make(0);
    await page.setContent("<!doctype html><title>t</title>" + html);
    await page.evaluate(() => document.body.offsetHeight);
    const session = await context.newCDPSession(page);
    await session.send("Runtime.evaluate", { expression: script });
    const rq = { links: true, images: false, onlyImages: false, mainContent: false, placeholders: false, ignoredTags: [], selection: false, declared: false, maxNodes: 500000, maxCharacters: 1e7, maxMs: 40000 };
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const cpu = async () => 1000 * (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration")!.value;
    const call = async (fn: string, ...a: any[]) => { const b = await cpu(); const { result } = await session.send("Runtime.callFunctionOn", { functionDeclaration: fn, executionContextId: 1, arguments: a.map((value) => ({ value })), awaitPromise: true, returnByValue: true } as any).catch(async () => { const g = await session.send("Runtime.evaluate", { expression: "globalThis" }); return session.send("Runtime.callFunctionOn", { functionDeclaration: fn, objectId: g.result.objectId, arguments: a.map((value) => ({ value })), returnByValue: true } as any); }) as any; return [(await cpu()) - b, result.value]; };
    const look: number[] = [], read: number[] = []; let md: any;
    for (let i = 0; i < 9; i++) {
      if (i === 8 && profile) { await session.send("Profiler.enable"); await session.send("Profiler.setSamplingInterval", { interval: 200 }); await session.send("Profiler.start"); }
      const [a] = await call("(r) => cloudBrowserPage.reader.look(r)", rq); look.push(a);
      const [b, v] = await call("(r) => cloudBrowserPage.reader.read(r)", rq); read.push(b); md = v;
      if (i === 8 && profile) {
        const { profile: p } = await session.send("Profiler.stop") as any;
        const self = new Map<string, number>();
        const dt = p.timeDeltas; const byId = new Map(p.nodes.map((n: any) => [n.id, n]));
        p.samples.forEach((s: number, k: number) => { const n: any = byId.get(s); const key = `${n.callFrame.functionName || "anon"}:${n.callFrame.lineNumber + 1}`; self.set(key, (self.get(key) ?? 0) + dt[k] / 1000); });
        console.log([...self].sort((x, y) => y[1] - x[1]).slice(0, 28).map(([k, v]) => `   ${v.toFixed(1).padStart(7)} ${k}`).join("\n"));
      }
    }
    const mb = html.length / 1e6;
    const f = (a: number[]) => [a[0], Math.min(...a.slice(1))].map((x) => x!.toFixed(0)).join("/");
    const best = Math.min(...look.slice(1)) + Math.min(...read.slice(1));
    console.log(name.padEnd(14), `${mb.toFixed(2)} MB`, "look", f(look), "read", f(read), "best/MB", (best / mb).toFixed(0), "md", md?.markdown?.length);
    await page.close();
  }
} finally { await pool.close(); }
