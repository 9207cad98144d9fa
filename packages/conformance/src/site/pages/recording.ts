import { documentOf, type PageSource } from "./page-source.ts";

/** A page that moves, so that there is something to record. Source: ours. */
export function recordingPage({ script }: PageSource): string {
  return documentOf({
    title: "A clock",
    head: "",
    body: `<main><h1>A clock</h1><p id="clock">0</p></main>`,
    script: `let ticks = 0;
setInterval(() => { document.getElementById("clock").textContent = String(++ticks); }, 100);
${script}`,
  });
}
