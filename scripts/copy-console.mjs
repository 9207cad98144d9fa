// Copies the built console beside the built service, which serves it. Run in packages/service, when both are built.
import { cpSync, existsSync } from "node:fs";

const from = new URL("../packages/console/dist/", import.meta.url);
if (!existsSync(from)) throw new Error("the console is not built: run pnpm --filter @cloud-browser/console build");
cpSync(from, new URL("../packages/service/dist/console/", import.meta.url), { recursive: true });
