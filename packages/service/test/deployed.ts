import { readFileSync } from "node:fs";
import { Command } from "commander";
import { parse, parseAllDocuments } from "yaml";
import { addServeFlags } from "../src/cli/serve/serve-flags.ts";

/** Reads a file of the package. */
export const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

interface Node {
  readonly image?: string;
  readonly build: { readonly context: string; readonly dockerfile: string };
  readonly depends_on: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly stop_grace_period: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Node>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** What `compose.yaml` deploys. */
export const compose: Compose = parse(read("deploy/compose.yaml"), { merge: true });
/** Nodes of `compose.yaml`. */
export const nodes = Object.entries(compose.services).filter(([name]) => name.startsWith("node-"));
/** Documents of `kubernetes.yaml`. */
export const documents = parseAllDocuments(read("deploy/kubernetes.yaml"));
/** What `kubernetes.yaml` deploys. */
export const manifests = documents.map((document): { readonly kind: string } => document.toJS());

/** Overlays of Kustomize. */
export const overlays = ["cluster", "one-node"];
/** Reads an overlay. */
export const readOverlay = (name: string): string => read(`kustomize/${name}/kustomization.yaml`);

/** Finds a manifest of a kind, as the schemas of Kubernetes describe it. */
export function manifest<Kind extends { validate(): void }>(kind: string, Model: new (data: never) => Kind): Kind {
  const found = manifests.find((one) => one.kind === kind);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- judged by `validate`
  return new Model(found as never);
}

/** Variables of the environment that the service reads. */
export const known = new Set([
  ...addServeFlags(new Command()).options.flatMap(({ envVar }) => envVar ?? []),
  "CLOUD_BROWSER_API_KEY",
  "CLOUD_BROWSER_MODEL_KEY",
  "CLOUD_BROWSER_PROFILE_KEY",
]);
