import { makeFunctionOfActs, type RecordedEntry } from "@cloud-browser/automation";

const navigation = { kind: "navigation", address: { url: "https://ferries.example/" }, sameDocument: false } as const;
const entries: readonly RecordedEntry[] = [
  { seq: 1, atMs: 0, by: "service", tab: 1, kind: "tab-opened" },
  { seq: 2, atMs: 40, by: "service", tab: 1, ...navigation, via: "address" },
  // Nothing tells which of the buttons it was.
  { seq: 3, atMs: 900, by: "person", tab: 1, kind: "act", act: "click", target: { role: "button", name: "Book" } },
];
const result = makeFunctionOfActs(entries, {});
if ("refusals" in result) for (const { seq, code } of result.refusals) console.log(seq, code); // 3 no-place
