/** Returns what a docstring says of each code: items such as "- `a`, `b`: text", or several "`a`: text; `b`: text" in one. */
export function readMeanings(source: string): ReadonlyMap<string, string> {
  const [, comment = ""] = /\/\*\*((?:(?!\*\/)[^])*?)\*\/\s*export type \w+Code =/.exec(source) ?? [];
  const text = comment.replaceAll(/^\s*\* ?/gm, "");
  const items = [...text.matchAll(/^- ([^]*?)(?=^- |^\s*$|(?![^]))/gm)].map(([, item = ""]) =>
    item.replaceAll(/\s+/g, " ").trim(),
  );
  return new Map(
    items
      .flatMap((item) => item.split(/; (?=`[\w-]+`(?:, `[\w-]+`)*: )/))
      .flatMap((part) => {
        const [, names = "", meaning = ""] = /^((?:`[\w-]+`(?:, )?)+): (.*)$/.exec(part) ?? [];
        return [...names.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => [name, meaning] as const);
      }),
  );
}
