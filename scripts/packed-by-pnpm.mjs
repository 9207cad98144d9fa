// The `prepack` script of every package: npm and others would ship `workspace:` and `catalog:` ranges as they stand,
// which nobody can install. pnpm puts versions in their place, and adds the licence.
// Not the user agent: npm hands on that of a pnpm which called it.
import { basename } from "node:path";

const packer = basename(process.env["npm_execpath"] ?? "an unknown program");
if (!packer.startsWith("pnpm")) {
  console.error(`This package can only be packed and published by pnpm; this is ${packer}.`);
  console.error("Publish all packages with: npm run release. Pack one with: npx pnpm pack.");
  process.exit(1);
}
