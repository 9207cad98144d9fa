import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connect } from "./calls.ts";
import type { Workshop } from "./workshop.ts";

/** The generators of clients, each with the programs that it is run with. */
const commands: Readonly<Record<string, readonly (readonly [program: string, ...args: string[]])[]>> = {
  "openapi-typescript": [
    ["openapi-typescript", "openapi.json", "--default-non-nullable=false", "-o", "openapi-typescript/schema.ts"],
    ["openapi-typescript", "openapi.json", "-o", "openapi-typescript-plain/schema.ts"],
  ],
  "hey-api": [["@hey-api/openapi-ts", "-f", "hey-api.config.mjs"]],
  orval: [["orval", "--config", "orval.config.mjs"]],
  "swagger-typescript-api": [
    ["swagger-typescript-api", "generate", "-p", "openapi.json", "-o", "swagger-typescript-api", "-n", "api.ts"],
  ],
  kubb: [["@kubb/cli", "generate", "--config", "kubb.config.ts"]],
  "openapi-zod-client": [["openapi-zod-client", "openapi.json", "-o", "openapi-zod-client/api.ts", "--export-schemas"]],
};

/** Names of the generators of clients. */
export const clientGenerators: readonly string[] = Object.keys(commands);

/** Generates all clients, and gives back what went wrong. */
export async function generateClients(workshop: Workshop): Promise<string[]> {
  const complaints: string[] = [];
  for (const [name, programs] of Object.entries(commands)) {
    for (const [program, ...args] of programs) {
      const { code, output } = await workshop.run(program, ...args);
      if (code !== 0) complaints.push(`${name} failed (${code}): ${output.slice(-1500)}`);
    }
  }
  return complaints;
}

/** Compiles the consumers with what was generated, and gives back what the compiler says. */
export async function compileClients(workshop: Workshop): Promise<string[]> {
  const { code, output } = await workshop.run("typescript:tsc", "-p", ".");
  return code === 0 ? [] : [`tsc: ${output.slice(0, 4000)}`];
}

/** Loads the consumer of a generated client; packages stay where they are installed. */
export async function loadConsumer(workshop: Workshop, name: string): Promise<Connect> {
  const options = ["--bundle", "--format=esm", "--platform=node", "--packages=external", `--outfile=${name}.mjs`];
  const { code, output } = await workshop.run("esbuild", `consumers/${name}.ts`, ...options);
  if (code !== 0) throw new Error(`esbuild failed: ${output}`);
  const { connect }: { connect: Connect } = await import(join(workshop.folder, `${name}.mjs`));
  return connect;
}

/** The published document with the addresses of servers of ours in place of its own. */
export function makePublishedDocument(sessions: string, automation: string): string {
  const document: { servers: unknown; paths: Record<string, { servers?: unknown; post?: { servers?: unknown } }> } =
    JSON.parse(readFileSync(new URL("../generated/openapi-3.1.json", import.meta.url), "utf8"));
  document.servers = [{ url: sessions }];
  for (const path of Object.values(document.paths)) {
    if (path.servers !== undefined) path.servers = [{ url: automation }];
    if (path.post?.servers !== undefined) path.post.servers = [{ url: automation }];
  }
  return JSON.stringify(document);
}
