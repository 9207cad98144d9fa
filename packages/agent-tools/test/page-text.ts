/** Returns the text between the marks of a result, after it has checked that there is one boundary and nothing forges it. */
export function readPageText(result: string): string {
  const [, mark = ""] = /between the two lines marked ([0-9a-f]{24}) was written/u.exec(result) ?? [];
  const [before = "", rest = ""] = result.split(`\n[page-text ${mark}]\n`);
  const [inside = "", after, ...more] = rest.split(`\n[end of page-text ${mark}]`);
  if (mark === "" || after === undefined || more.length > 0)
    throw new Error(`no boundary, or more than one: ${result}`);
  if (result.split(mark).length !== 4 || before.includes("[page-text"))
    throw new Error("the mark is there once too often");
  return inside;
}
