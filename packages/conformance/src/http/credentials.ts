/**
 * Credentials of a request: a key of {@link simpleCredentials}, `none` for no header `Authorization`, `stranger:…` for one of
 * {@link strangers}, or a form of the key in a scheme at a place.
 *
 * All but `key`, `none` and `wrong` may hold a piece of the key: they are secrets as well.
 */
export type Credentials = keyof typeof simpleCredentials | "none" | StrangerCredentials | ComposedCredentials;

/** A value of `Authorization` that holds nothing of the key: see {@link strangers}. */
export type StrangerCredentials = `stranger:${keyof typeof strangers}`;

/** A form of the key in some scheme at some place of the request. */
export type ComposedCredentials = `${CredentialPlace}:${Scheme}:${KeyForm}`;

/** Places of credentials: a header by its name in lower case, `query:` with the name of a parameter, or `cookie`. */
export const places = [
  "authorization",
  "x-api-key",
  "x-authorization",
  "proxy-authorization",
  "cookie",
  "query",
] as const;
/** One of {@link places}. */
export type CredentialPlace = (typeof places)[number];

/** A key that no target can know: it is not derived from the real one. */
export const wrongKey = "cloud-browser-conformance-key-that-is-not-valid";

/**
 * Values of `Authorization` that no target can let in: a wrong key under the scheme in other spellings, letters that mean something to
 * databases, shells and templates, a token that says itself that nobody has signed it, and a key larger than what most servers read.
 */
export const strangers = {
  "lower-scheme": `bearer ${wrongKey}`,
  "upper-scheme": `BEARER ${wrongKey}`,
  tab: `Bearer\t${wrongKey}`,
  spaces: `Bearer    ${wrongKey}`,
  letters: `Bearer ' OR '1'='1' -- {"$ne":null} * %00 ../../\\ $(id) {{7*7}}`,
  unsigned: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiIsImFkbWluIjp0cnVlfQ.",
  huge: `Bearer ${wrongKey.repeat(400)}`,
} as const;
/** Names of {@link strangers}. */
export const strangerNames = Object.keys(strangers).filter((name): name is keyof typeof strangers => name in strangers);

/** Returns the value of `Authorization` of a stranger; undefined for all other credentials. */
export function findStranger(credentials: Credentials): string | undefined {
  const name = strangerNames.find((one) => credentials === `stranger:${one}`);
  return name === undefined ? undefined : strangers[name];
}

/** The text before the key. */
export const prefixes = {
  bearer: "Bearer ",
  "bearer-lower": "bearer ",
  "bearer-twice": "Bearer Bearer ",
  "bearer-colon": "Bearer: ",
  bearers: "Bearers ",
  basic: "Basic ",
  token: "Token ",
  digest: "Digest ",
  "api-key": "ApiKey ",
  alone: "",
} as const;
/** A word before the key; `bearer` is the one that the interface shows. */
export type Scheme = keyof typeof prefixes;
/** Every {@link Scheme} that is composed with places and forms of the key. */
export const schemes = Object.keys(prefixes).filter(
  (name): name is Exclude<Scheme, "bearer-lower"> => name in prefixes && name !== "bearer-lower",
);

/** A key that no target can know, longer than any server issues and shorter than the headers that servers accept. */
export const longWrongKey = wrongKey.repeat(84);

/** Makes each form of the key that is composed with a scheme and a place. */
const formMakers = {
  key: (key: string) => key,
  wrong: () => wrongKey,
  empty: () => "",
  "first-half": (key: string) => key.slice(0, Math.floor(key.length / 2)),
  "but-last": (key: string) => key.slice(0, -1),
  extended: (key: string) => `${key}x`,
  /** As long as the key, with its beginning and its end. */
  "other-letter": replaceLetter,
  /** The key with its letters in the other case. */
  "other-case": swapCase,
  "then-more": (key: string) => `${key} ${wrongKey}`,
  "in-list": (key: string) => `${wrongKey}, ${key}`,
  twice: (key: string) => `${key}${key}`,
  "beyond-ascii": (key: string) => `${key}\u00e9`,
  "wrong-long": () => longWrongKey,
  "word-null": () => "null",
  "word-undefined": () => "undefined",
} as const;
/** A form of the key: `key` is the valid key as it is. */
export type KeyForm = keyof typeof formMakers;
/** Every {@link KeyForm}. */
export const keyForms = Object.keys(formMakers).filter((name): name is KeyForm => name in formMakers);

/** Scheme and form of the key of the credentials that are neither composed nor a stranger's, in `Authorization`. */
const simpleCredentials = {
  key: ["bearer", "key"],
  wrong: ["bearer", "wrong"],
  empty: ["bearer", "empty"],
  "key-first-half": ["bearer", "first-half"],
  "key-but-last": ["bearer", "but-last"],
  "key-extended": ["bearer", "extended"],
  "key-other-letter": ["bearer", "other-letter"],
  "key-other-case": ["bearer", "other-case"],
  "key-as-basic": ["basic", "key"],
  "key-as-token": ["token", "key"],
  "key-alone": ["alone", "key"],
  "key-lower-scheme": ["bearer-lower", "key"],
} as const satisfies Readonly<Record<string, readonly [Scheme, KeyForm]>>;

/** Returns scheme and form of the key of credentials; undefined when they are composed, a stranger's or none. */
export function findSimple(credentials: Credentials): readonly [scheme: Scheme, form: KeyForm] | undefined {
  const name = simpleKinds.find((one) => one === credentials);
  return name === undefined ? undefined : simpleCredentials[name];
}

/** Every kind of credentials that is neither composed nor a stranger's, but `none`. */
export const simpleKinds = Object.keys(simpleCredentials).filter(
  (name): name is keyof typeof simpleCredentials => name in simpleCredentials,
);

/** Splits composed credentials into their parts; undefined for all others. */
export function splitCredentials(
  credentials: Credentials,
): { place: CredentialPlace; scheme: Scheme; form: KeyForm } | undefined {
  const [place, scheme, form] = credentials.split(":");
  const at = places.find((one) => one === place);
  const under = schemes.find((one) => one === scheme);
  const as = keyForms.find((one) => one === form);
  return at && under && as ? { place: at, scheme: under, form: as } : undefined;
}

/**
 * Returns whether the key is there as a whole, but in another place, scheme, case or company than the interface shows. That such a
 * request does not succeed is assumed, so a target may start a run for it.
 */
export function holdsKeyElsewhere(credentials: Credentials): boolean {
  const parts = splitCredentials(credentials);
  if (parts !== undefined) return parts.form === "key" || parts.form === "then-more";
  return /^key-(?:as|alone|other-case)/.test(credentials);
}

/** Parts of a request that carry the credentials. */
export interface CredentialParts {
  /** Headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A query without its question mark; empty for none. */
  readonly query: string;
}

/** Returns the parts of a request that carry the credentials. Source: interface § Authentication. */
export function makeCredentialParts(credentials: Credentials, apiKey: string): CredentialParts {
  const parts = splitCredentials(credentials);
  if (parts === undefined) {
    const authorization = findAuthorization(credentials, apiKey);
    return { headers: authorization === undefined ? {} : { authorization }, query: "" };
  }
  const value = composeValue(parts.scheme, parts.form, apiKey);
  if (parts.place === "query") return { headers: {}, query: `api_key=${encodeURIComponent(value)}` };
  if (parts.place === "cookie") return { headers: { cookie: `api_key=${encodeURIComponent(value)}` }, query: "" };
  return { headers: { [parts.place]: value }, query: "" };
}

function composeValue(scheme: Scheme, form: KeyForm, apiKey: string): string {
  const key = formMakers[form](apiKey);
  return `${prefixes[scheme]}${scheme === "basic" ? Buffer.from(`${key}:`, "latin1").toString("base64") : key}`;
}

/** Returns the value of `Authorization`; undefined for no such header. Source: interface § Authentication. */
export function findAuthorization(credentials: Credentials, apiKey: string): string | undefined {
  const simple = findSimple(credentials);
  if (simple) return composeValue(...simple, apiKey);
  const isComposed = splitCredentials(credentials) !== undefined;
  return isComposed ? makeCredentialParts(credentials, apiKey).headers["authorization"] : findStranger(credentials);
}

/** Returns the key with its middle character replaced by the next one of ASCII. */
function replaceLetter(key: string): string {
  const middle = Math.floor(key.length / 2);
  const next = key.charAt(middle) === "~" ? "!" : String.fromCharCode(key.charCodeAt(middle) + 1);
  return `${key.slice(0, middle)}${next}${key.slice(middle + 1)}`;
}

/** Swaps upper and lower case. */
export function swapCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
