import { defineConfig } from "vite";

export default defineConfig({
  // The service serves it below this path, and the page itself at its root.
  base: "/console/",
  resolve: { conditions: ["@cloud-browser/source"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    assetsDir: "assets",
    // Pictures and styles stay files: the policy of the page has no `data:` for anything but its icon.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What is bundled, with its licences: the service publishes them with it.
    license: { fileName: "bundled.json" },
  },
});
