/** The words that a service has where the interface says `automation` and `service`: letters, digits, `-` and `_`. */
export interface Words {
  /** Word in the path of automations, `/api/<word>/start`. */
  readonly automationWord: string;
  /** Word in the names of the headers `x-<word>-request-origin` and `x-<word>-sdk-version`. */
  readonly serviceWord: string;
}

/** The words of the interface. */
export const neutralWords: Words;

/** What stands for the words in the overlays of this package. */
export const templateWords: Words;

/** Names of the documents that have words. */
export const documents: readonly string[];

/** Names of the overlays, one for each of the three forms of the document. */
export const overlays: readonly string[];

/**
 * Puts words in place of others in the text of a document of this package: JSON, YAML or types.
 *
 * @param words - The words of the service. Default: the neutral ones.
 * @param before - The words that the text has. Default: the neutral ones.
 * @throws {RangeError} when a word has other characters.
 */
export function withWords(text: string, words: Partial<Words>, before?: Words): string;

/**
 * Writes all documents, overlays and examples with the words of a service into a folder, as command-line arguments say.
 *
 * @param textOf - Returns the text of a document or overlay by its name.
 * @param env - Environment variables, for words that the arguments do not name. Default: those of the process.
 * @returns The exit code, 2 when the arguments are wrong; and what to tell the person who called.
 */
export function writeContract(
  args: readonly string[],
  textOf: (name: string) => string,
  env?: Readonly<Record<string, string | undefined>>,
): { readonly code: number; readonly said: string };
