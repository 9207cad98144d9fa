import { readdirSync } from "node:fs";
import starlight from "@astrojs/starlight";
import { defineConfig, passthroughImageService } from "astro/config";
import linksValidator from "starlight-links-validator";

/** Public address of the site; unset for one on loopback. */
const address = process.env.DOCS_URL === undefined ? undefined : new URL(process.env.DOCS_URL);
const base = address?.pathname.replace(/\/$/, "") ?? "";

/** Folders of pages in one that people write. */
function listFolders(folder) {
  const entries = readdirSync(new URL(folder, import.meta.url), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

export default defineConfig({
  ...(address && { site: address.origin }),
  ...(base !== "" && { base }),
  srcDir: "./site",
  publicDir: "./site/public",
  cacheDir: "./node_modules/.astro",
  trailingSlash: "always",
  image: { service: passthroughImageService() },
  server: { host: "127.0.0.1" },
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: "cloud-browser",
      description: "Use, verify and run one HTTP interface of a cloud browser.",
      favicon: "/favicon.svg",
      customCss: ["./site/styles/site.css"],
      components: { PageTitle: "./site/components/page-title.astro" },
      routeMiddleware: "./site/markdown-beside.ts",
      lastUpdated: false,
      credits: false,
      pagination: true,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      // What wraps needs no scrolling, on no screen.
      expressiveCode: { themes: ["github-dark", "github-light"], defaultProps: { wrap: true, frame: "none" } },
      plugins: [linksValidator({ errorOnLocalLinks: false })],
      sidebar: [
        { slug: "overview", label: "Overview" },
        { label: "Start", items: [{ autogenerate: { directory: "start" } }] },
        { label: "Guides", items: [{ autogenerate: { directory: "guides" } }] },
        {
          label: "Recipes",
          collapsed: true,
          items: [
            { slug: "recipes", label: "All recipes" },
            ...listFolders("recipes").map((name) => ({
              label: `${name[0].toUpperCase()}${name.slice(1)}`,
              collapsed: true,
              items: [{ autogenerate: { directory: `recipes/${name}` } }],
            })),
          ],
        },
        { label: "Manuals", collapsed: true, items: [{ autogenerate: { directory: "reference" } }] },
        {
          label: "The interface",
          items: [
            { slug: "interface", label: "The document" },
            { slug: "contract", label: "Contract" },
            { slug: "requirements", label: "Requirements" },
            { slug: "readings", label: "Readings" },
            { slug: "left-open", label: "What is left open" },
          ],
        },
        {
          label: "The suite",
          items: [
            { slug: "checks", label: "Checks" },
            { slug: "limits", label: "What it can't see" },
          ],
        },
        {
          label: "The service",
          items: [
            { slug: "control", label: "Control interface" },
            { slug: "operations", label: "Operations" },
            { slug: "durability", label: "Durability" },
            { slug: "a-thousand-nodes", label: "A thousand nodes" },
          ],
        },
        {
          label: "Reference",
          items: [
            { slug: "errors", label: "Errors" },
            { slug: "errors/outcomes", label: "Outcomes of a stream" },
            { label: "Command lines", items: [{ autogenerate: { directory: "commands" } }], collapsed: true },
            { slug: "configuration", label: "Configuration" },
            { slug: "api", label: "API" },
            { slug: "changelog", label: "Changelog" },
          ],
        },
        { label: "Packages", collapsed: true, items: [{ autogenerate: { directory: "packages" } }] },
        {
          label: "The project",
          collapsed: true,
          items: [
            { slug: "architecture", label: "Architecture" },
            { slug: "contributing", label: "Contributing" },
          ],
        },
      ],
    }),
  ],
});
