import { withoutQueries } from "./without-queries.ts";

/** Part of an address that a timeline tells: never what its query, its fragment and the secrets in it hold. */
export interface ToldAddress {
  /** The address, without its query and fragment, and without what is secret in its path. */
  readonly url: string;
  /** Names of the values in its query, in order, where nothing but these values is left out. */
  readonly parameters?: readonly string[];
  /** True when more is left out: a fragment, a secret in the path, or a query that is not made of names and values. */
  readonly is_partial?: true;
}

/** Most names of values in a query. */
const mostParameters = 20;

/** Names of values, as programs choose them: what has many digits, or is long, may be a secret itself. */
const parameterName = /^[a-z_][a-z_.-]{0,29}\d{0,2}$/i;

/** Returns what is told of an address. @param withoutSecrets - Removes what is secret from one. */
export function redactForTimeline(address: string, withoutSecrets: (address: string) => string): ToldAddress {
  const [bare = ""] = withoutQueries(address).split(/[?#]/);
  const url = withoutSecrets(bare);
  const end = address.search(/[?#]/);
  const path = end < 0 ? address : address.slice(0, end);
  const { search, hash } = URL.parse(address) ?? { search: "?", hash: "" };
  if (url !== path || hash !== "") return { url, is_partial: true };
  if (search === "") return { url };
  const pairs = search.slice(1).split("&");
  const parameters = pairs.flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    // What ends in "=" may be one value in base64.
    return parameterName.test(name) && value.length === 1 && value[0] !== "" ? [name] : [];
  });
  return parameters.length === pairs.length && pairs.length <= mostParameters
    ? { url, parameters }
    : { url, is_partial: true };
}
