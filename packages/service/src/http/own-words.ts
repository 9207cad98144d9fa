import { ServiceError } from "../service-error.ts";

/** The words that a service has where the interface says `automation` and `service`; it answers to both. Source: interface, introduction. */
export interface OwnWords {
  /** Word in the path of the automation endpoint. */
  readonly automationWord: string;
  /** Word in the names of two headers. */
  readonly serviceWord: string;
}

/** The words of the interface. */
const neutralWords: OwnWords = { automationWord: "automation", serviceWord: "service" };

/** Path of the automation endpoint. */
export function buildAutomationPath({ automationWord }: OwnWords = neutralWords): string {
  return `/api/${automationWord}/start`;
}

/**
 * Completes words with the neutral ones.
 *
 * @throws {ServiceError} `usage` when one has other characters than letters, digits, `-` and `_`.
 */
export function checkWords(words: Partial<OwnWords>): OwnWords {
  const { automationWord = neutralWords.automationWord, serviceWord = neutralWords.serviceWord } = words;
  for (const [name, word] of Object.entries({ automationWord, serviceWord })) {
    if (!/^[\w-]+$/.test(word))
      throw new ServiceError("usage", `malformed ${name} ${JSON.stringify(word)}: use letters, digits, - and _`);
  }
  return { automationWord, serviceWord };
}

/** Fields of a log line that say which client sent a request, as far as it does. */
export interface ClientNames {
  /** `x-<word>-request-origin`. */
  readonly request_origin?: string;
  /** `x-<word>-sdk-version`. */
  readonly sdk_version?: string;
}

/** Reads both headers by either name. What is longer than 64 characters, or has others than those of a name or version, is left out. */
export function readClientNames(headers: Headers, { serviceWord }: OwnWords = neutralWords): ClientNames {
  const readWord = (name: string): string | undefined =>
    [serviceWord, neutralWords.serviceWord]
      .map((word) => headers.get(`x-${word}-${name}`) ?? "")
      .find((text) => /^[\w.-]{1,64}$/.test(text));
  const [request_origin, sdk_version] = [readWord("request-origin"), readWord("sdk-version")];
  return {
    ...(request_origin !== undefined && { request_origin }),
    ...(sdk_version !== undefined && { sdk_version }),
  };
}
