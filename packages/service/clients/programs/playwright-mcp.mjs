// @playwright/mcp, over stdio, without a model.
import { fileURLToPath } from "node:url";
import { serve } from "./mcp.mjs";
import { has, http, isKept, run, site, file, folder, ws } from "./steps.mjs";

const path = fileURLToPath(new URL("../node_modules/@playwright/mcp/cli.js", import.meta.url));
const start = (address) =>
  serve(path, ["--cdp-endpoint", address, "--caps", "pdf,devtools,storage", "--output-dir", folder], folder);
let call;
/** The handle that a snapshot gives a part of the page. */
async function target(role, name) {
  const text = await call("browser_snapshot");
  const [, ref] = new RegExp(`${role} "${name}"[^\\n]*\\[ref=(\\w+)\\]`).exec(text) ?? [];
  return { element: name, target: ref, ref };
}

await run({
  connect: async () => {
    call = await start(ws);
    await call("browser_tabs", { action: "list" });
  },
  "by http": async () => {
    const other = await start(http);
    await other("browser_tabs", { action: "list" });
    await other.end();
  },
  navigate: async () => has(await call("browser_navigate", { url: site }), "Start"),
  "click, fill": async () => {
    await call("browser_type", { ...(await target("textbox", "Name")), text: "Ada" });
    has(await call("browser_click", await target("button", "Greet")), "Hello Ada");
  },
  evaluate: async () => has(await call("browser_evaluate", { function: "() => 1 + 1" }), "2"),
  screenshot: async () => has(await call("browser_take_screenshot"), "image/png"),
  cookies: async () => {
    await call("browser_cookie_set", { name: "mine", value: "1", domain: "127.0.0.1" });
    has(await call("browser_cookie_list"), "mine");
  },
  PDF: async () => has(await call("browser_pdf_save", { filename: "page.pdf" }), "page.pdf"),
  emulate: async () => {
    await call("browser_resize", { width: 400, height: 700 });
    has(await call("browser_evaluate", { function: "() => `wide ${innerWidth}`" }), "wide 400");
  },
  upload: async () => {
    await call("browser_click", await target("button", "File"));
    await call("browser_file_upload", { paths: [file] });
    has(
      await call("browser_evaluate", { function: "async () => document.querySelector('#file').files[0].text()" }),
      "brought along",
    );
  },
  download: async () => {
    await call("browser_click", await target("link", "Save"));
    await isKept();
  },
  "new tab": async () => has(await call("browser_tabs", { action: "new", url: `${site}/second` }), "Second"),
});
