import type { Target } from "../target/target.ts";

/**
 * Words of a service in place of the neutral ones of the interface: in the path of the automation, and in the names of two headers.
 * Everything in this package uses the neutral ones; only requests on the wire have these.
 *
 * Source: interface § Cloud Browser Service Interface.
 */
export type OwnWords = Pick<Target, "automationWord" | "serviceWord">;

/** The words of the interface. */
export const neutralWords = { automationWord: "automation", serviceWord: "service" } as const;

/** Characters that a word of a path or a header name may have here. */
export const wordPattern = /^[A-Za-z0-9_-]+$/;

/** Path of the automation with the neutral word. */
const neutralPath = /^\/api\/automation\/start(?=$|[/?#])/;

/** The headers whose names have the neutral word. */
const neutralHeader = /^x-service-(?=(?:request-origin|sdk-version)$)/i;

/** Returns the words of a target; the neutral ones where it has none of its own. */
export function completeWords({ automationWord, serviceWord }: OwnWords): Required<OwnWords> {
  return {
    automationWord: automationWord ?? neutralWords.automationWord,
    serviceWord: serviceWord ?? neutralWords.serviceWord,
  };
}

/** Returns the path of the automation as it is on the wire. */
function automationPath(words: OwnWords): string {
  return `/api/${completeWords(words).automationWord}/start`;
}

/** Returns a path as it is on the wire. */
export function pathInOwnWords(path: string, words: OwnWords): string {
  return path.replace(neutralPath, () => automationPath(words));
}

/** Returns the name of a header as it is on the wire. */
export function headerInOwnWords(name: string, words: OwnWords): string {
  return name.replace(neutralHeader, () => `x-${completeWords(words).serviceWord}-`);
}
