/**
 * Kind of value in the header `Authorization` of a request.
 *
 * - `key`: the target's key. `none`: no such header. `wrong`: a key that no target can know.
 * - `empty`: the scheme, and no key after it.
 * - `key-first-half`, `key-but-last`, `key-extended`: a part of the target's key, or the key with more behind it.
 * - `key-other-letter`: the key with another letter in its middle: as long as the key, with its beginning and its end.
 * - `key-other-case`: the key with its letters in the other case.
 * - `key-as-basic`, `key-as-token`, `key-alone`: the whole key under the scheme Basic, under Token, and under none.
 * - `key-lower-scheme`: the key, and the scheme word in small letters.
 * - `stranger:…`: a wrong key whose scheme or letters are odd.
 *
 * All but `key`, `none` and `wrong` may hold a piece of the key: they are secrets as well.
 */
export type Credentials =
  | "key"
  | "none"
  | "wrong"
  | "empty"
  | "key-first-half"
  | "key-but-last"
  | "key-extended"
  | "key-other-letter"
  | "key-other-case"
  | "key-as-basic"
  | "key-as-token"
  | "key-alone"
  | "key-lower-scheme"
  | StrangerCredentials
  | ComposedCredentials;

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
/** The names of {@link strangers}. */
export const strangerNames: readonly (keyof typeof strangers)[] = [
  "lower-scheme",
  "upper-scheme",
  "tab",
  "spaces",
  "letters",
  "unsigned",
  "huge",
];

/** Returns the value of `Authorization` of a stranger; undefined for all other credentials. */
export function findStranger(credentials: Credentials): string | undefined {
  const name = strangerNames.find((one) => credentials === `stranger:${one}`);
  return name === undefined ? undefined : strangers[name];
}

/** The text before the key. */
export const prefixes = {
  bearer: "Bearer ",
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
/** Every {@link Scheme}. */
export const schemes: readonly Scheme[] = Object.keys(prefixes).filter((name): name is Scheme => name in prefixes);

/** Every form of the key that is composed with a scheme and a place. */
export const keyForms = [
  "key",
  "wrong",
  "empty",
  "first-half",
  "but-last",
  "extended",
  "other-letter",
  "then-more",
  "in-list",
  "twice",
  "beyond-ascii",
  "wrong-long",
  "word-null",
  "word-undefined",
] as const;
/** One of {@link keyForms}: `key` is the valid key as it is. */
export type KeyForm = (typeof keyForms)[number];

/** The parts of composed credentials; undefined for all others. */
export function splitCredentials(
  credentials: Credentials,
): { place: CredentialPlace; scheme: Scheme; form: KeyForm } | undefined {
  const [place, scheme, form] = credentials.split(":");
  const known = {
    place: places.find((one) => one === place),
    scheme: schemes.find((one) => one === scheme),
    form: keyForms.find((one) => one === form),
  };
  const { place: at, scheme: under, form: as } = known;
  return at && under && as ? { place: at, scheme: under, form: as } : undefined;
}

/** A key that no target can know, longer than any server issues and shorter than the headers that servers accept. */
export const longWrongKey = wrongKey.repeat(84);

/**
 * Returns whether the key is there as a whole, but in another place, scheme, case or company than the interface shows. That such a
 * request does not succeed is assumed, so a target may start a run for it.
 */
export function holdsKeyElsewhere(credentials: Credentials): boolean {
  const parts = splitCredentials(credentials);
  if (parts !== undefined) return parts.form === "key" || parts.form === "then-more";
  return /^key-(?:as|alone|other-case)/.test(credentials);
}

function keyAs(form: KeyForm, key: string): string {
  switch (form) {
    case "key":
      return key;
    case "wrong":
      return wrongKey;
    case "empty":
      return "";
    case "first-half":
      return key.slice(0, Math.floor(key.length / 2));
    case "but-last":
      return key.slice(0, -1);
    case "extended":
      return `${key}x`;
    case "other-letter":
      return otherLetter(key);
    case "then-more":
      return `${key} ${wrongKey}`;
    case "in-list":
      return `${wrongKey}, ${key}`;
    case "twice":
      return `${key}${key}`;
    case "beyond-ascii":
      return `${key}\u00e9`;
    case "wrong-long":
      return longWrongKey;
    case "word-null":
      return "null";
    case "word-undefined":
      return "undefined";
  }
}

function isComposed(credentials: Credentials): credentials is ComposedCredentials {
  return splitCredentials(credentials) !== undefined;
}

function isStranger(credentials: Credentials): credentials is StrangerCredentials {
  return findStranger(credentials) !== undefined;
}

/** Parts of a request that carry the credentials. */
export interface Carried {
  /** Headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A query without its question mark; empty for none. */
  readonly query: string;
}

/** Where credentials go in a request. Source: interface § Authentication. */
export function carriedBy(credentials: Credentials, apiKey: string): Carried {
  const parts = splitCredentials(credentials);
  if (parts === undefined) {
    const authorization = findAuthorization(credentials, apiKey);
    return { headers: authorization === undefined ? {} : { authorization }, query: "" };
  }
  const { place, scheme, form } = parts;
  const key = keyAs(form, apiKey);
  const value =
    scheme === "basic" ? `Basic ${Buffer.from(`${key}:`, "latin1").toString("base64")}` : `${prefixes[scheme]}${key}`;
  if (place === "query") return { headers: {}, query: `api_key=${encodeURIComponent(value)}` };
  if (place === "cookie") return { headers: { cookie: `api_key=${encodeURIComponent(value)}` }, query: "" };
  return { headers: { [place]: value }, query: "" };
}

/** The value of `Authorization`; undefined for no such header. Source: interface § Authentication. */
export function findAuthorization(credentials: Credentials, apiKey: string): string | undefined {
  if (isComposed(credentials)) return carriedBy(credentials, apiKey).headers["authorization"];
  if (isStranger(credentials)) return findStranger(credentials);
  switch (credentials) {
    case "none":
      return undefined;
    case "wrong":
      return `Bearer ${wrongKey}`;
    case "empty":
      return "Bearer ";
    case "key-first-half":
      return `Bearer ${apiKey.slice(0, Math.floor(apiKey.length / 2))}`;
    case "key-but-last":
      return `Bearer ${apiKey.slice(0, -1)}`;
    case "key-extended":
      return `Bearer ${apiKey}x`;
    case "key-other-letter":
      return `Bearer ${otherLetter(apiKey)}`;
    case "key-other-case":
      return `Bearer ${otherCase(apiKey)}`;
    case "key-as-basic":
      return `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
    case "key-as-token":
      return `Token ${apiKey}`;
    case "key-alone":
      return apiKey;
    case "key-lower-scheme":
      return `bearer ${apiKey}`;
    case "key":
      return `Bearer ${apiKey}`;
  }
}

/** Returns the key with its middle character replaced by the next one of ASCII. */
function otherLetter(key: string): string {
  const middle = Math.floor(key.length / 2);
  const next = key.charAt(middle) === "~" ? "!" : String.fromCharCode(key.charCodeAt(middle) + 1);
  return `${key.slice(0, middle)}${next}${key.slice(middle + 1)}`;
}

/** Swaps upper and lower case. */
export function otherCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
