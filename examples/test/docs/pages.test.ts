import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { clientRemedies } from "../../../docs/remedies/client-errors.ts";
import { automationRemedies, serviceRemedies } from "../../../docs/remedies/service-errors.ts";
import { streamRemedies } from "../../../docs/remedies/stream-errors.ts";
import { contractRemedies, suiteRemedies } from "../../../docs/remedies/suite-errors.ts";
import { writeForAgents } from "../../../docs/scripts/agents.ts";
import { readMeanings } from "../../../docs/scripts/generated/code-meanings.ts";
import { rewriteLinks, type LinkForm, type LinkMap } from "../../../docs/scripts/links.ts";
import { code, fence, headingSlug, prose, table } from "../../../docs/scripts/markdown.ts";
import { firstSentence, frontMatter, parsePage, type SitePage } from "../../../docs/scripts/page.ts";
import type { listSitePages } from "../../../docs/scripts/site-pages.ts";

describe("a page of Markdown", () => {
  test.for([
    ["front matter", "---\ntitle: A b\ndescription: C.\nsidebar:\n  order: 2\n---\n\ntext\n", "A b", "C.", "text"],
    ["quoted front matter", "---\ntitle: \"A: \\\"b\\\"\"\ndescription: 'It''s'\n---\ntext", 'A: "b"', "It's", "text"],
    ["a heading", "# A `b`\n\n```sh\nnot this.\n```\n\nThe first. The second.\n", "A b", "The first.", null],
    [
      "a heading that is a link",
      "# [A](b.md)\n\n- a list\n\nText with [a link](c.md) here",
      "A",
      "Text with a link here",
      null,
    ],
  ] as const)("has a title and a description: %s", ([, text, title, description, body]) => {
    const page = parsePage("a", "docs/a.md", text);
    expect(page).toMatchObject({ title, description, ...(body === null ? {} : { body }) });
    expect(page.body).not.toMatch(/^# /);
  });

  test("keeps what the site needs of its front matter, and its path as it is", () => {
    const page = parsePage("a/B_c", "docs/a.md", "---\ntitle: A\nsidebar:\n  order: 2\n---\ntext");
    expect(frontMatter(page)).toBe(
      '---\ntitle: "A"\nslug: "a/B_c"\ndescription: "text"\nsidebar:\n  order: 2\n---\n\n',
    );
  });

  test("without a title is refused, by its path", () => {
    expect(() => parsePage("a", "docs/a.md", "text")).toThrow("docs/a.md has no title; begin it with");
  });

  test.for([
    ["Ends with a colon:", "Ends with a colon."],
    ["Version 1.2 is. Here", "Version 1.2 is."],
    ["# only\n\n- lists", ""],
  ])("has a first sentence: %s", ([text = "", want]) => {
    expect(firstSentence(text)).toBe(want);
  });
});

const files = new Set(["docs/a.md", "packages/x/b.ts", "packages/x/p.png", "packages/x", "docs/guides/g.md"]);
const map = (more: Partial<LinkMap> = {}): LinkMap => ({
  pages: new Map([
    ["docs/a.md", "a"],
    ["docs/guides/g.md", "guides/g"],
    ["packages/x/README.md", "packages/x"],
    ["docs/index.md", "index"],
  ]),
  base: "",
  exists: (path) => files.has(path),
  takePicture: (path) => `/pictures/${path}`,
  repositoryUrl: undefined,
  ...more,
});

const rewrite = (body: string, form: LinkForm = "page", more: Partial<LinkMap> = {}): string =>
  rewriteLinks(body, "docs/guides/g.md", map(more), form);

describe("links", () => {
  test.for([
    ["[a](../a.md)", "[a](/a/)", "[a](/a.md)"],
    ["[a](../a.md#b-c)", "[a](/a/#b-c)", "[a](/a.md#b-c)"],
    ['[a](../a.md "title")', '[a](/a/ "title")', '[a](/a.md "title")'],
    ["[`a` b](<../a.md>)", "[`a` b](/a/)", "[`a` b](/a.md)"],
    ["[first](../index.md)", "[first](/)", "[first](/index.md)"],
    ["[x](../../packages/x)", "[x](/packages/x/)", "[x](/packages/x.md)"],
    ["[x](../../packages/x/)", "[x](/packages/x/)", "[x](/packages/x.md)"],
    ["[checks](/checks/)", "[checks](/checks/)", "[checks](/checks.md)"],
    ["[agents](/llms.txt)", "[agents](/llms.txt)", "[agents](/llms.txt)"],
    ["[self](#here) [out](https://a.example/b.md) [m](mailto:a@b.example)", null, null],
    ["```md\n[a](../a.md)\n```\n`[a](../a.md)`", null, null],
    ["~~~\n```\n[a](../a.md)\n~~~", null, null],
    ["![p](../../packages/x/p.png)", "![p](/pictures/packages/x/p.png)", "![p](/pictures/packages/x/p.png)"],
    ["see [the code](../../packages/x/b.ts)", "see the code", "see the code"],
    ['<a href="/checks/">c</a>', '<a href="/checks/">c</a>', '<a href="/checks.md">c</a>'],
    ["[a]: ../a.md\n", "[a]: /a/\n", "[a]: /a.md\n"],
  ] as const)("lead to pages, and to their Markdown: %s", ([body, page, markdown]) => {
    expect([rewrite(body), rewrite(body, "markdown")]).toEqual([page ?? body, markdown ?? body]);
  });

  test("have the path of the site before them", () => {
    expect(rewrite("[a](../a.md) [b](/checks/#x)", "page", { base: "/docs" })).toBe(
      "[a](/docs/a/) [b](/docs/checks/#x)",
    );
  });

  test("lead to files where the repository has an address", () => {
    const repositoryUrl = "https://git.example/r/blob/main";
    expect(rewrite("[c](../../packages/x/b.ts#L3)", "page", { repositoryUrl })).toBe(
      "[c](https://git.example/r/blob/main/packages/x/b.ts#L3)",
    );
  });

  test.for(["[a](../b.md)", "[a](nothing)", '<a href="../b.md">b</a>'])("that lead nowhere are refused: %s", (body) => {
    expect(() => rewrite(body)).toThrow(/^docs\/guides\/g\.md: the link .* leads to .*, which does not exist$/);
  });
});

test("Markdown keeps what a text has", () => {
  expect([code("a"), code("a`b"), code("`a"), code("")]).toEqual(["`a`", "``a`b``", "`` `a ``", ""]);
  expect(fence("sh", "a\n```\nb\n")).toBe("````sh\na\n```\nb\n````");
  expect(table(["a"], [["b|c\nd"], [String.raw`e\|f`]])).toBe("| a |\n| --- |\n| b\\|c d |\n| e\\|f |");
  expect(prose("a <b> *c* `<d>` snake_case _e_")).toBe("a \\<b\\> \\*c\\* `<d>` snake_case \\_e\\_");
  expect(headingSlug("POST {base_url}/sessions/{id}/page/scrape")).toBe("post-base_urlsessionsidpagescrape");
});

describe("codes of errors", () => {
  test("are read from docstrings: alone, together, and several in one item", () => {
    const source = `/**\n * Codes.\n *\n * - \`a\`: first,\n *   on two lines.\n * - \`b\`, \`c\`: both.\n * - \`d\`: one; \`e-f\`: two.\n */\nexport type MyCode = "a";`;
    expect([...readMeanings(source)]).toEqual([
      ["a", "first, on two lines."],
      ["b", "both."],
      ["c", "both."],
      ["d", "one"],
      ["e-f", "two."],
    ]);
  });

  test.for([
    ["client/src/errors/client-error.ts", clientRemedies],
    ["stream/src/errors/stream-error.ts", streamRemedies],
    ["service/src/service-error.ts", serviceRemedies],
    ["automation/src/automation-error.ts", automationRemedies],
    ["conformance/src/http/suite-error.ts", suiteRemedies],
    ["contract-diff/src/contract-error.ts", contractRemedies],
  ] as const)("have a meaning and a remedy each: %s", ([file, remedies]) => {
    const meanings = readMeanings(readFileSync(new URL(`../../../packages/${file}`, import.meta.url), "utf8"));
    expect([...meanings.keys()].sort()).toEqual(Object.keys(remedies).sort());
    expect(Object.values(remedies).filter((text) => !/^.{20,}[.`]$/s.test(text))).toEqual([]);
  });
});

const page = (slug: string, more: Partial<SitePage> = {}): SitePage => ({
  slug,
  title: slug,
  description: "",
  body: "",
  ...more,
});

test("llms.txt leads to every page but those that a list names", () => {
  const pages: Awaited<ReturnType<typeof listSitePages>> = [
    page("index"),
    page("guides/g", { description: "Says." }),
    page("checks"),
    page("checks/a/b", { isOneOfMany: true }),
    page("api/client"),
  ];
  const texts = writeForAgents(pages, new Map(pages.map(({ slug }) => [slug, `# ${slug}\n`])), {
    url: "https://docs.example/cb",
    base: "/cb",
  });
  const short = texts.get("llms.txt") ?? "";
  expect(short).toContain("- [guides/g](https://docs.example/cb/guides/g.md): Says.\n");
  expect(short).toContain("[outcomes](https://docs.example/cb/errors/outcomes.md)");
  expect(short).not.toContain("(https://docs.example/cb/checks/a/b.md)");
  expect(short).not.toMatch(/\{[\w/-]+\}/);
  const full = texts.get("llms-full.txt") ?? "";
  expect(full).toContain("# checks/a/b");
  expect(full).not.toContain("# api/client");
});
