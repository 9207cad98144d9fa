import { clockBackground, clockMarkup, clockScript } from "../clock-code.ts";
import { writeDocument, type PageSource } from "./page-source.ts";

/** Returns a page that shows its age as a code, so that a recording of it can be read. */
export function recordingPage({ script, mark }: PageSource): string {
  return writeDocument({
    title: "A clock",
    head: `<style>html, body { background: ${clockBackground}; margin: 0; height: 100%; overflow: hidden }</style>`,
    body: clockMarkup,
    script: `${clockScript(mark)}\n${script}`,
  });
}
