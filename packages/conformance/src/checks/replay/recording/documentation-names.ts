/** Names and addresses that are reserved for documentation: nothing can be at one. Source: RFC 2606 and 6761; RFC 5737 and 3849. */
const reservedNames = [
  /(?:^|\.)(?:example|invalid)\.?$/,
  /(?:^|\.)example\.(?:com|net|org)\.?$/,
  /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/,
  /^\[2001:db8:/,
];

/** Returns whether an address is one for documentation, which leads nowhere: a test server may well give such an address. */
export function isForDocumentation(address: string): boolean {
  const host = URL.parse(address)?.hostname.toLowerCase() ?? "";
  return reservedNames.some((pattern) => pattern.test(host));
}
