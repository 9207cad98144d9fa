/** Longest address that is kept and shown, in characters: a page can make its own two million long. */
const longest = 4_096;
/** Replacement of a secret. */
const removed = "***";

/** Names of values that are secrets, whatever the field was: parts of a name, and whole ones. */
const secretName =
  /passw(?:or)?d|passphrase|passcode|pwd|secret|token|api[-_.]?key|access[-_.]?key|credential|signature|jwt|^(?:pass|pw|pin|otp|sig|auth|authorization)$/i;

/**
 * Redacts the URL of a page for storage and display: without user name and password, without the values of password fields and of what is
 * called like a secret, and not too long.
 *
 * @param secretFields - Names of fields whose values are secrets.
 */
export function shownAddress(address: string, secretFields: ReadonlySet<string>): string {
  // The scheme, and what is between it and the host.
  const named = address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, "$1");
  const start = named.search(/[?#]/);
  const shown = start < 0 ? named : named.slice(0, start) + withoutValues(named.slice(start), secretFields);
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

/** A query and a fragment; those of scripts may have a query of their own. */
function withoutValues(text: string, secretFields: ReadonlySet<string>): string {
  return text.replaceAll(/([?#&;])([^=&;?#]*)=([^&;#]*)/g, (pair, sign: string, name: string) => {
    const plain = decoded(name);
    return secretFields.has(plain) || secretName.test(plain) ? `${sign}${name}=${removed}` : pair;
  });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
