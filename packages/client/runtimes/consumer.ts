import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { makeConsumer as makePacked } from "../test/consumers/consumer.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Answers of the loopback server, which serves the files of the folder, by their paths. */
const answers = {
  "sessions/s1/cookies": '{"cookies":[{"name":"sid","value":"1","domain":"ferries.example","path":"/","secure":true}]}',
  "sessions/s1/page/scrape": '{"markdown":"# Fähren","images":[],"structured":{"success":true,"data":{"pier":3}}}',
  "sessions/s1/replay": '{"mp4_url":7}',
  "video.mp4": "v".repeat(70_000),
};

/** Installs the built package, as `test/consumers` does, beside the entries of the runtimes and bundles for those that resolve no package. */
export async function makeConsumer(): Promise<{ readonly folder: string; remove(): void }> {
  const consumer = await makePacked();
  const { folder } = consumer;
  for (const name of readdirSync(here).filter((each) => /\.(?:mjs|html|capnp)$/.test(each)))
    cpSync(join(here, name), join(folder, name));
  for (const [path, content] of Object.entries(answers)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const name of ["workerd", "chromium"]) {
    const [entry, outfile] = [join(folder, `${name}.mjs`), join(folder, `${name}.bundle.mjs`)];
    await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", target: "es2022", external: ["node:*"] });
  }
  return { folder, remove: () => consumer[Symbol.dispose]() };
}
