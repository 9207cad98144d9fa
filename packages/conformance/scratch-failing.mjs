import http from "node:http";
import { writeFileSync } from "node:fs";
import { runConformance, liveTarget, prismTarget } from "@cloud-browser/conformance";
const mode = process.argv[2]; const out = process.argv[3];
await using prism = await prismTarget();
const evil = `<script>alert(1)</script>" onload="alert(2) ]]> \u0000\u0007\u001b[31m \u202Egnp.exe\u202C \u200b שלום`;
const server = http.createServer(async (req, res) => {
  const parts = []; for await (const c of req) parts.push(c);
  const headers = { ...req.headers }; delete headers.host; delete headers["content-length"]; delete headers.connection;
  if (mode === "awful") { res.writeHead(500, { "content-type": "text/html" }); return res.end(`<html><script>alert(1)</script>${"<p>boom ".repeat(300)}</html>`); }
  const r = await fetch(prism.target.baseUrl + req.url, { method: req.method, headers, ...(parts.length ? { body: Buffer.concat(parts) } : {}) });
  let text = await r.text(); let status = r.status; let type = r.headers.get("content-type");
  if (req.url.includes("scrape") && status === 200) { const o = JSON.parse(text); delete o.markdown; o.note = evil; o.images = [{url:"http://x.example/a.png", category: "banner"+evil},{url: 7},{url: 8}]; text = JSON.stringify(o); }
  if (req.url.includes("cookies") && status === 200) { const o = JSON.parse(text); if(o.cookies?.[0]) o.cookies[0].httpOnly = evil; text = JSON.stringify(o); }
  if (req.url.includes("replay") && req.headers.authorization?.includes("k-123456")) { type = "text/html"; text = `<html><script>alert(1)</script>${evil}</html>`; }
  if (req.url.includes("automation") && status === 200) text += `data: {"type":"status","status":"late"}\n\ndata: {"type":"status","status":${JSON.stringify(evil)}}\n\n`;
  if (status === 422 && req.url.includes("scrape")) { text = text.replace('"loc"', '"location"'); res.setHeader("x-evil", "<img src=x onerror=alert(1)>"); }
  if (mode === "cut" && req.url.includes("cookies")) { return req.socket.destroy(); }
  res.writeHead(status, { "content-type": type ?? "text/plain" });
  res.end(text);
});
await new Promise((r) => server.listen(0, "127.0.0.1", r));
const baseUrl = `http://127.0.0.1:${server.address().port}`;
const report = await runConformance(liveTarget({ baseUrl, apiKey: "k-123456", sessionId: "s1" }));
writeFileSync(out, JSON.stringify(report, null, 1));
console.log(report.sentence, JSON.stringify(report.summary));
server.close(); server.closeAllConnections();
