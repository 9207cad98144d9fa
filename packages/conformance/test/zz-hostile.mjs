import { hostileTargets, startHostile } from "/work/main/packages/conformance/test/hostile-targets.ts";
import { execFile } from "node:child_process";
const want = process.argv[2] ? new RegExp(process.argv[2]) : /./;
const limits = { timeoutMs: 400, streamTimeoutMs: 600, idleTimeoutMs: 400, closeGraceMs: 100 };
for (const t of hostileTargets.filter(t=>want.test(t.name))) {
  const h = await startHostile(t.serve);
  const s = Date.now();
  await new Promise(r => execFile(process.execPath, ["--max-old-space-size=512","--conditions=@cloud-browser/source","/work/main/packages/conformance/test/hostile-run.ts",h.url,JSON.stringify(limits)],{maxBuffer:1e7,timeout:90000},(e,o,err)=>{
    if(e||!o) console.log("!!", t.name, Date.now()-s, String(e?.killed), err.slice(-600));
    else { const x=JSON.parse(o); const bad=[...(x.grownMb>300?["MEM"]:[]),...(x.sizes.json>20e6?["JSON"]:[]),...(x.sizes.html>5e6?["HTML"]:[]),...x.acting,...((t.verdicts??["not-conforming"]).includes(x.verdict)?[]:["VERDICT"])];
      console.log(bad.join()||"ok", "|", t.name,"|",Date.now()-s,"ms judged",x.judgedMs,"render",x.renderMs,"| MB",x.grownMb,"rss",x.rssMb,"|",x.verdict,JSON.stringify(x.counts),"ex",x.exchanges,"| json",x.sizes.json,"html",x.sizes.html,"har",x.sizes.har,"junit",x.sizes.junit, process.env.V?x.reasons:""); }
    r();
  }));
  await h[Symbol.asyncDispose]();
}
process.exit(0)
