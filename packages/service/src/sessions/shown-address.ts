/** Longest address that is kept and shown, in characters: a page can make its own two million long. */
const maxLength = 4_096;
/** Replacement of a secret. */
const removed = "***";

/** Names of values that are secrets, whatever the field was: parts of a name, and whole ones. */
const secretName =
  /passw(?:or)?d|passphrase|passcode|pwd|secret|token|api[-_.]?key|access[-_.]?key|credential|signature|jwt|^(?:pass|pw|pin|otp|sig|auth|authorization)$/i;

/** How deep an address is searched for others in its values: each decoding counts. What is deeper is removed. */
const maxDepth = 8;

/**
 * Redacts the URL of a page for storage and display: without user name and password, without the values of password fields and of what is
 * called like a secret, and not too long. Secrets are also found in parameters of the path, and in addresses, queries and JSON
 * that are values of others, encoded or not.
 *
 * @param secretFields - Names of fields whose values are secrets.
 */
export function redactPageAddress(address: string, secretFields: ReadonlySet<string>): string {
  // A secret is never shorter than what stands for it, so that what is cut off here would not be shown.
  const begin = withoutUser(address).slice(0, 2 * maxDepth * maxLength);
  const shown = withoutSecrets(begin, secretFields, 0);
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
}

/** Removes user name and password from an address: what is between the scheme and the host. */
function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, "$1");
}

/** Redacts the secrets in an address, a query or another text. */
function withoutSecrets(text: string, secretFields: ReadonlySet<string>, depth: number): string {
  const isSecret = (name: string): boolean => secretFields.has(decode(name)) || secretName.test(decode(name));
  const redactValue = (value: string): string => {
    const plain = decode(value);
    if (plain === value && !/[=?#&;]|:\/\//.test(value)) return value;
    if (depth === maxDepth) return removed;
    const safe = withoutSecrets(withoutUser(plain), secretFields, depth + 1);
    if (safe === plain) return value;
    return plain === value ? safe : encodeURIComponent(safe);
  };
  const redactPair = (sign: string, name: string, value: string | undefined): string => {
    if (value === undefined) return sign + redactValue(name);
    return `${sign}${name}=${isSecret(name) ? removed : redactValue(value)}`;
  };
  const shown = text.replaceAll(
    /("([^"\\]*)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^,}\]\s]+)/g,
    (match, begin: string, name: string) => (isSecret(name) ? `${begin}"${removed}"` : match),
  );
  const start = shown.search(/[?#]/);
  const [path, query] = start < 0 ? [shown, ""] : [shown.slice(0, start), shown.slice(start)];
  return (
    path.replaceAll(/(^|[/;&])([^=/;&]*)(?:=([^/;&]*))?/g, (_, sign: string, name: string, value?: string) =>
      redactPair(sign, name, value),
    ) +
    // Fragments of scripts may have a query of their own.
    query.replaceAll(/([?#&;])([^=&;?#]*)(?:=([^&;#]*))?/g, (_, sign: string, name: string, value?: string) =>
      redactPair(sign, name, value),
    )
  );
}

/** Removes one layer of URL encoding from a text; of what is not UTF-8, only ASCII is decoded. */
function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));
  }
}
