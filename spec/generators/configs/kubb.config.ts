import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

const generated = (client: "axios" | "fetch", path: string, serverIndex?: number) => ({
  name: path,
  root: ".",
  input: { path: "openapi.json" },
  output: { path, format: false, lint: false } as const,
  plugins: [
    pluginOas({ validate: true, generators: [], serverIndex }),
    pluginTs({ output: { path: "models" } }),
    pluginClient({ output: { path: "clients" }, client }),
  ],
});

export default defineConfig([generated("axios", "kubb"), generated("fetch", "kubb-fetch", 0)]);
