/** Removes user names, passwords, queries and fragments from the addresses in a text, and what a `data:` address holds. */
export function withoutQueries(text: string): string {
  return text
    .replaceAll(/\bdata:(?:[a-z]+\/|[;,])[^\s"'<>]*/gi, "data:…")
    .replaceAll(/\b([a-z][a-z\d+.-]{1,20}:\/\/)([^\s/?#"'<>]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi, "$1$3");
}
