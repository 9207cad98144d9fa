// chrome-devtools-mcp, over stdio, without a model.
import { fileURLToPath } from "node:url";
import { serve } from "./mcp.mjs";
import { has, http, isKept, run, site, file, folder, ws } from "./steps.mjs";

const path = fileURLToPath(
  new URL("../node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", import.meta.url),
);
const start = (...address) => serve(path, [...address, "--no-usage-statistics", "--no-performance-crux"], folder);
const pageId = 1;
let call;
async function uid(role, name) {
  const text = await call("take_snapshot", { pageId });
  return new RegExp(`uid=(\\S+) ${role} "${name}`).exec(text)?.[1];
}

await run({
  connect: async () => {
    call = await start("--wsEndpoint", ws);
    await call("list_pages");
  },
  "by http": async () => {
    const other = await start("--browserUrl", http);
    await other("list_pages");
    await other.end();
  },
  navigate: async () => {
    await call("navigate_page", { pageId, type: "url", url: site });
    has(await call("take_snapshot", { pageId }), "Start");
  },
  "click, fill": async () => {
    await call("fill", { pageId, uid: await uid("textbox", "Name"), value: "Ada" });
    await call("click", { pageId, uid: await uid("button", "Greet") });
    has(await call("evaluate_script", { pageId, function: "() => document.title" }), "Hello Ada");
  },
  evaluate: async () => has(await call("evaluate_script", { pageId, function: "() => 1 + 1" }), "2"),
  screenshot: async () => has(await call("take_screenshot", { pageId, fullPage: true }), "image/png"),
  emulate: async () => {
    await call("emulate", { pageId, colorScheme: "dark", viewport: "400x700x1" });
    has(
      await call("evaluate_script", { pageId, function: "() => matchMedia('(prefers-color-scheme: dark)').matches" }),
      "true",
    );
  },
  upload: async () => {
    await call("upload_file", { pageId, uid: await uid("button", "File"), filePaths: [file] });
    has(
      await call("evaluate_script", {
        pageId,
        function: "async () => document.querySelector('#file').files[0].text()",
      }),
      "brought along",
    );
  },
  download: async () => {
    await call("click", { pageId, uid: await uid("link", "Save") });
    await isKept();
  },
  trace: async () => {
    const text = await call("performance_start_trace", { pageId, reload: true, autoStop: true });
    has(text, "LCP");
  },
  "new tab": async () => has(await call("new_page", { url: `${site}/second` }), "/second"),
});
