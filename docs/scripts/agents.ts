import type { SiteAddress, SitePage } from "./page.ts";

/** Introduction for agents. */
const introduction = `# cloud-browser

> One HTTP interface of a cloud browser service: an SDK, a stream reader, a conformance suite that judges any server of the interface, and
> the service itself on a real Chromium, on your own machine.

What to run:

- Use the interface from TypeScript: \`npm install @cloud-browser/client\`; the key is in \`CLOUD_BROWSER_API_KEY\`, the address in \`CLOUD_BROWSER_BASE_URL\`.
- Have a server without an account: \`npx @cloud-browser/service serve\` prints its address and a key.
- Use any server of the interface from a terminal: \`npx @cloud-browser/cli --help\`; every command has \`--json\`, whose shape \`--json-schema\` prints.
- Use it as tools of a model: \`npx -y @cloud-browser/agent-tools\` is an MCP server on standard input and output.
- Judge a server: \`npx @cloud-browser/conformance run --base-url <address> --session-id <open session>\`. Exit code 0: conforming; 1: a stated
  sentence is not met; 2: the call was wrong; 3: the run could not be finished.

What not to guess:

- What the interface calls "not shown" is open: look at [what is left open]({left-open}) before you rely on a status, a field or a limit.
- An automation run is billed. A run whose stream broke may still be running: never start it again without looking ([outcomes]({errors/outcomes})).
- An error has a code from a closed list: look it up in [errors]({errors}) and do what stands there, in place of matching messages.
- Flags and variables are those of [commands]({commands}) and [configuration]({configuration}); there are no others.
- A failed check names its page, \`checks/<id>.md\`: the sentence, what the contract says, and what to do.

Every page is there as Markdown: put \`.md\` in place of the slash at the end of its address.
`;

/** Titles of the groups of pages, by the beginning of their paths, in the order in which an agent needs them. */
const groups: readonly (readonly [title: string, belongs: RegExp])[] = [
  ["Start in five minutes", /^start\//],
  ["Guides", /^guides\//],
  ["Recipes", /^recipes(?:\/|$)/],
  [
    "Reference",
    /^(?:reference|errors|commands|contract|interface|requirements|readings|checks|left-open|limits|configuration)(?:\/|$)/,
  ],
  ["Running a service", /^(?:operations|durability|a-thousand-nodes|deployment)/],
  ["Packages", /^packages\//],
  ["API of the packages", /^api(?:\/|$)/],
  ["More", /./],
];

/**
 * Returns `llms.txt`, which leads to the pages, and `llms-full.txt`, which has them all but the API of each export.
 *
 * @param markdown - The pages as Markdown, by slug.
 */
export function writeForAgents(
  pages: readonly SitePage[],
  markdown: ReadonlyMap<string, string>,
  { url, base }: Pick<SiteAddress, "url" | "base">,
): ReadonlyMap<string, string> {
  const start = url === undefined ? base : new URL(url).origin + base;
  const getAddress = (slug: string): string => `${start}/${slug}.md`;
  const left = new Set(pages.filter(({ slug, isOneOfMany }) => slug !== "index" && isOneOfMany !== true));
  const parts = groups.flatMap(([title, belongs]) => {
    const own = [...left].filter(({ slug }) => belongs.test(slug));
    for (const page of own) left.delete(page);
    const lines = own.map(
      (page) => `- [${page.title}](${getAddress(page.slug)})${page.description && `: ${page.description}`}`,
    );
    return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join("\n")}\n`];
  });
  const beginning = introduction.replaceAll(/\{([\w/-]+)\}/g, (_, slug: string) => getAddress(slug));
  const full = pages.filter(({ slug }) => slug !== "index" && !slug.startsWith("api/"));
  return new Map([
    ["llms.txt", `${[beginning.trim(), ...parts.map((part) => part.trim())].join("\n\n")}\n`],
    ["llms-full.txt", full.map(({ slug }) => `<!-- ${getAddress(slug)} -->\n\n${markdown.get(slug) ?? ""}`).join("\n")],
  ]);
}
