const B="/work/main/packages/service/";
const { startServiceProcess } = await import(B+"bench/measuring/started-service.ts"); const {startSite}=await import(B+"bench/pages/site.ts"); const {probe}=await import(B+"test/recording/video.ts");
import { writeFileSync, readdirSync, statSync,mkdtempSync } from "node:fs";
const sleep=(ms:number)=>new Promise(r=>setTimeout(r,ms)); const t0=performance.now(); const at=()=>Math.round(performance.now()-t0);
const site=await startSite(); const data=mkdtempSync("/tmp/enc/kill-");
const a=await startServiceProcess(data); console.log("up",at());
const s=await a.open({url:site.url+"/page-3"}); console.log("open",at()); const {chromium}=await import("playwright-core");const br=await chromium.connectOverCDP(s.cdp_url);const pg=br.contexts()[0]!.pages()[0]!;(async()=>{for(;;){await pg.mouse.wheel(0,300);await sleep(400);await pg.click("#send");await sleep(500)}})().catch(()=>0);await sleep(25000); await a.kill(); console.log("killed",at());
const rec=data+"/recordings/"+s.session_id; console.log(readdirSync(rec).map(f=>f+" "+statSync(rec+"/"+f).size));
const {execSync}=await import("node:child_process");execSync("rm -rf /tmp/enc/copy; cp -r "+rec+" /tmp/enc/copy");const b=await startServiceProcess(data); console.log("up again",at());
for(let i=0;i<100;i++){const r=await b.ask("GET",`/sessions/${s.session_id}/replay`);const t=await r.text(); console.log(at(),r.status,t.slice(0,100),readdirSync(rec).join(" "));if(r.ok){const j=JSON.parse(t);writeFileSync("/tmp/enc/k.mp4",Buffer.from(await(await fetch(j.mp4_url)).arrayBuffer()));const p=await probe("/tmp/enc/k.mp4");console.log("start",j.video_start_ms,"frames",p.packets.map((x:any)=>Math.round(x.atMs+j.video_start_ms)).join(" "));break}await sleep(300)}
console.log("kept",[...a.kept.values()].map((m:any)=>m.map(Math.round).join(" ")));
await b[Symbol.asyncDispose]();await site[Symbol.asyncDispose]();

const {parseJournal}=await import(B+"src/recording/journal-format.ts");const {readFileSync}=await import("node:fs");
for(const f of readdirSync("/tmp/enc/copy").filter(f=>f.endsWith("journal")))console.log(f,parseJournal(readFileSync("/tmp/enc/copy/"+f)).map((r:any)=>r.kind[0]+r.atMs).join(" "));
