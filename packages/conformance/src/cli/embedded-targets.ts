import type { Configuration } from "../configuration/configuration.ts";
import type { OwnWords } from "../http/own-words.ts";
import { prismTarget } from "../embedded/mock.ts";
import { serviceRuns, serviceTarget } from "../embedded/service-target.ts";
import type { Target } from "../target/target.ts";

/** A target that the suite starts itself. */
export interface EmbeddedTarget {
  /** Its description, in a line of the terminal. */
  readonly what: string;
  /** Defaults of settings that differ for it. */
  readonly defaults: Configuration;
  /** Starts it with the given words; disposing of it stops it. */
  readonly start: (words: OwnWords) => Promise<AsyncDisposable & { readonly target: Target }>;
}

/** The targets that `--target` names. */
export const embeddedTargets = {
  prism: { what: "a mock of the contract", defaults: {}, start: prismTarget },
  service: {
    what: "the service of this project on a real Chromium",
    defaults: { profile: "full", maxRuns: serviceRuns },
    start: serviceTarget,
  },
} as const satisfies Readonly<Record<string, EmbeddedTarget>>;

/** Name of such a target. */
export type EmbeddedName = keyof typeof embeddedTargets;

/** Returns whether a text names such a target. */
export function isEmbedded(name: string): name is EmbeddedName {
  return Object.hasOwn(embeddedTargets, name);
}
