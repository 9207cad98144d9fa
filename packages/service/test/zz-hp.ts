
import { startTestService } from "/work/main/packages/service/test/running-service.ts";
import { startSite, type SitePage } from "/work/main/packages/service/test/site.ts";
/** The page behaves as it should; what else it does begins when it is loaded. */
const page = (script: string, body = ""): string =>
  `<!doctype html><title>Ferries</title><h1>Harbour ferries</h1>${body}<script>addEventListener("load", () => setTimeout(() => { ${script} }, 50))</script>`;

const pages: Readonly<Record<string, SitePage>> = {
  "/": page(""),
  "/forever": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<title>Ferries</title><h1>Harbour ferries</h1>");
    const timer = setInterval(() => response.write("<!-- more -->"), 200);
    response.on("close", () => clearInterval(timer));
  },
  "/nothing": () => undefined,
  "/reloads": page("location.reload()"),
  "/goes-on": (request, response) =>
    void response.end(page(`location.href = "/goes-on?" + (${Number(request.url?.split("?")[1] ?? 0)} + 1)`)),
  "/redirects": (_, response) => void response.writeHead(302, { location: "/redirects" }).end(),
  "/prints": page("setInterval(print, 100); print()"),
  "/alerts": page('for (;;) { alert("a"); confirm("b"); prompt("c") }'),
  "/stays": page('onbeforeunload = (event) => event.preventDefault(); location.href = "/"'),
  "/downloads": page(
    'setInterval(() => { const a = document.createElement("a"); a.href = "/file"; a.download = "file"; a.click() }, 20)',
  ),
  "/file": (_, response) =>
    void response.writeHead(200, { "content-disposition": "attachment; filename=file.bin" }).end("x".repeat(100_000)),
  "/pop-ups": page(
    'setInterval(() => { open("/pop-ups"); open("about:blank"); const a = document.createElement("a"); a.target = "_blank"; a.href = "/"; a.click() }, 20)',
  ),
  "/nodes": page("", "<div><p>A <b>ferry</b></p></div>".repeat(33_000)),
  "/large": page("", `<p>${"A ferry leaves. ".repeat(64)}</p>`.repeat(50 * 1024)),
  "/circles": page("for (;;);"),
  "/grows": page(
    "const all = []; (function grow() { for (let i = 0; i < 50; i += 1) all.push(new Float64Array(2 ** 17).fill(Math.random())); setTimeout(grow, 20) })()",
  ),
  "/notifies": page(
    "Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {}); navigator.mediaDevices?.getUserMedia({ video: true }); document.documentElement.requestFullscreen(); history.back(); close(); stop()",
  ),
  "/history": page('for (let i = 0; i < 1e6; i += 1) { try { history.pushState({}, "", "?" + i) } catch { break } }'),
  "/logs": page('setInterval(() => { for (let i = 0; i < 1000; i += 1) console.log("x".repeat(1000)) }, 1)'),
  "/logs10": page('setInterval(() => { for (let i = 0; i < 10; i += 1) console.log("x".repeat(1000)) }, 1)'),
  "/logs100": page('setInterval(() => { for (let i = 0; i < 100; i += 1) console.log("x") }, 1)'),
  "/logloop": page('setInterval(() => { const t = performance.now(); while (performance.now() - t < 40) console.log("x") }, 50)'),
  "/titles": page('setInterval(() => { document.title = "t".repeat(1e6) + Math.random() }, 10)'),
  "/frames": page(
    '(function grow(d) { const f = d.createElement("iframe"); f.src = "/frames"; d.body.append(f) })(document)',
  ),
  "/workers": page('setInterval(() => new Worker(URL.createObjectURL(new Blob(["for (;;);"]))), 100)'),
  "/lies": page(
    'Object.prototype.markdown = "lie"; Array.prototype.push = () => 0; JSON.stringify = () => "lie"; Node.prototype.appendChild = () => null; document.querySelectorAll = () => []; Object.defineProperty(document, "body", { get: () => { throw new Error("no") } })',
  ),
};


const { pino } = await import("/work/main/packages/service/node_modules/pino/pino.js");
const site = await startSite(pages);
for (const path of process.argv.slice(2)) {
  const log: string[] = [];
  const service = await startTestService({ log: pino({ level: "info" }, { write: (l: string) => { if (!l.includes('"request"')) log.push(l.trim().slice(0, 250)); } }) });
  const timed = async (m: string, p: string, b?: unknown) => { const t = performance.now(); const r = await service.ask(m, p, b); const body = await r.text(); return { status: r.status, body, ms: Math.round(performance.now() - t) }; };
  const n = await service.open({ url: site.url + "/" });
  let over = false; const times: number[] = []; const bad: string[] = [];
  const loop = (async () => { while (!over) { const r = await timed("POST", `/sessions/${n.session_id}/page/scrape`, {}); times.push(r.ms); if (r.status !== 200) bad.push(r.body.slice(0, 100)); await new Promise((f) => setTimeout(f, 100)); } })();
  const o = await timed("POST", "/control/sessions", { url: site.url + path });
  const out: any[] = [path, "open", o.status, o.ms];
  if (o.status === 201) {
    const id = JSON.parse(o.body).session_id;
    const s = await timed("POST", `/sessions/${id}/page/scrape`, { scrape_images: true });
    out.push("scrape", s.status, s.ms, s.body.length, s.status === 200 ? "" : s.body.slice(0, 200));
    const c = await timed("GET", `/sessions/${id}/cookies`); out.push("cookies", c.status, c.ms);
    const e = await timed("DELETE", `/control/sessions/${id}`); out.push("end", e.status, e.ms, JSON.parse(e.body).end_reason);
  } else out.push(o.body);
  over = true; await loop;
  out.push("neighbour max", Math.max(...times), "n", times.length, bad[0] ?? "");
  console.log(out.join(" ")); for (const l of log) if (/"level":[45]0/.test(l)) console.log("   ", l);
  const t = performance.now(); await service.service.close(); console.log("    close", Math.round(performance.now() - t));
}
process.exit(0);
