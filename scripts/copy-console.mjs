// Copies the built console beside the built service, which serves it, with the licences of what is bundled into it. Run in packages/service,
// when both are built.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";

const from = new URL("../packages/console/dist/", import.meta.url);
const to = new URL("../packages/service/dist/console/", import.meta.url);
if (!existsSync(from)) throw new Error("the console is not built: run pnpm --filter @cloud-browser/console build");
cpSync(from, to, { recursive: true });

const bundled = JSON.parse(readFileSync(new URL("bundled.json", from), "utf8"));
const texts = bundled.map(
  ({ name, version, identifier, text }) =>
    `${name} ${version}\nLicence: ${identifier}\n\n${text ?? "(it has no file with the text)"}\n`,
);
writeFileSync(
  new URL("THIRD-PARTY-LICENSES.txt", to),
  ["The console contains code of:\n", ...texts].join(`\n${"-".repeat(80)}\n\n`),
);
