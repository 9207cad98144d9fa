import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { installOffline } from "./offline-installation.ts";

const node20 = join(dirname(createRequire(import.meta.url).resolve("node20/package.json")), "bin/node");
const folder = installOffline(["@cloud-browser/conformance", "@cloud-browser/service"]);

test.each(["@cloud-browser/conformance", "@cloud-browser/service"])(
  "the import of %s in an older Node.js says which version is needed",
  async (name) => {
    const program = ["--input-type=module", "--eval", `import ${JSON.stringify(name)}`];
    const running = promisify(execFile)(node20, program, { cwd: folder });
    const stderr: unknown = expect.stringContaining(`Error: ${name} needs Node.js 24.18 or later; this is Node.js 20.`);
    await expect(running).rejects.toMatchObject({ stderr });
  },
);
