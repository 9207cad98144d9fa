import { join } from "node:path";
import { checkChecksums, readRelease, type ReleaseRecord } from "./release-record.ts";
import { runProgram } from "./run-program.ts";

/** npm 11.5.1 is the first that publishes by the identity of a pipeline (OIDC). */
const npm = ["--yes", "npm@11.21.2"];

/** Options of publishing. */
export interface PublishOptions {
  /** Address of the registry. Default: npm's setting. A registry on loopback takes any release, without provenance. */
  readonly registry?: string | undefined;
  /** False publishes without provenance. Default: true, which only a pipeline with an identity can do. */
  readonly provenance?: boolean;
  /** Called for each package. */
  readonly onPackage?: (sentence: string) => void;
}

/**
 * Publishes the tarballs of a release as they are, those that others depend on first. A package that the registry has in this version is
 * left out, so that a publication which stopped halfway can continue.
 *
 * @param folder - Of the release.
 * @throws {Error} if the release can't be published, its files are not as their checksums say, or npm refuses.
 */
export async function publishRelease(folder: string, options: PublishOptions = {}): Promise<void> {
  const { registry, provenance = true, onPackage = () => undefined } = options;
  const record = readRelease(folder);
  checkChecksums(folder);
  const isTrial = registry !== undefined && isLoopback(registry);
  if (!isTrial) checkPublishable(record, provenance);
  const address = registry ?? (await runProgram("npx", [...npm, "config", "get", "registry"], { cwd: folder })).trim();
  const proof = isTrial || !provenance ? "--provenance=false" : "--provenance";
  for (const { name, version, file } of record.packages) {
    if (await isPublished(name, version, address)) {
      onPackage(`${name} ${version} is published already`);
      continue;
    }
    const tag = version.includes("-") ? "next" : "latest";
    const args = ["publish", join(folder, file), "--access=public", `--tag=${tag}`, proof, `--registry=${address}`];
    await runProgram("npx", [...npm, ...args], { cwd: folder });
    onPackage(`${name} ${version} published`);
  }
}

function checkPublishable({ obstacles }: ReleaseRecord, provenance: boolean): void {
  if (obstacles.length > 0) throw new Error(`this release is not to be published: ${obstacles.join("; ")}`);
  if (provenance && !process.env["ACTIONS_ID_TOKEN_REQUEST_URL"]) {
    throw new Error(
      "provenance needs the identity of a pipeline (`id-token: write` in GitHub Actions), which is not there; " +
        "run the workflow `release`, or give --no-provenance",
    );
  }
}

async function isPublished(name: string, version: string, registry: string): Promise<boolean> {
  const address = new URL(`${name.replace("/", "%2f")}/${version}`, registry.endsWith("/") ? registry : `${registry}/`);
  const response = await fetch(address, { signal: AbortSignal.timeout(60_000) });
  await response.body?.cancel();
  if (response.ok || response.status === 404) return response.ok;
  throw new Error(`${address.origin} answered ${response.status} when it was asked for ${name} ${version}; try again`);
}

/** Returns whether an address is one of this machine. */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
