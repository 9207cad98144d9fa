import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { Markup } from "./markup.ts";

/**
 * Copies the command beside a button. It reads the page and writes the clipboard, and nothing else: no network, no storage.
 *
 * A page from a plain http server has no clipboard of its own; there the old way is taken.
 */
const script = `
document.documentElement.classList.add("scripted");
const said = document.getElementById("said");
function setLabel(button, text) {
  button.textContent = text;
  said.textContent = text === "Copy" ? "" : text;
}
function copyByHand(pre) {
  getSelection().selectAllChildren(pre);
  return document.execCommand("copy");
}
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const pre = button.parentElement.querySelector("pre");
  let done;
  try {
    await navigator.clipboard.writeText(pre.textContent);
    done = true;
  } catch {
    done = copyByHand(pre);
  }
  setLabel(button, done ? "Copied" : "Select it and copy");
  setTimeout(() => setLabel(button, "Copy"), 2000);
});
`;

/** The inline script of the page, with the live region in which it reports to screen readers. */
export const scriptElement: Markup = raw(`<p id="said" class="said" role="status"></p>\n<script>${script}</script>`);

/** The script's hash for the content security policy, which allows no other script. */
export const scriptSource = `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
