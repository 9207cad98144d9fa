/** The arrows of ARCHITECTURE.md, as rules. */
import { globSync, readFileSync } from "node:fs";

const sources = (name) => `^packages/${name}/src/`;

/** Modules of Node.js that reach out of the process. */
const io = "^(node:)?(fs|fs/promises|child_process|worker_threads|http|https|http2|net|tls|dgram)$";

/** The service, and the packages that it is made of. */
const parts = "^packages/(page-content|recorder|automation|browsers|service)/src/";

/** What builds put into the files of a package, or erase: it has to be there for them only. */
const bundled = {
  client: ["@cfworker/json-schema", "@cloud-browser/spec"],
  conformance: ["@types/sarif", "ctrf"],
  "page-content": ["@mozilla/readability", "defuddle", "esbuild"],
  stream: ["@cloud-browser/spec"],
};

const folders = globSync("{spec,testing,packages/*}/package.json", { cwd: import.meta.dirname });
const manifests = new Map(
  folders.map((file) => [
    file.replace("/package.json", ""),
    JSON.parse(readFileSync(`${import.meta.dirname}/${file}`, "utf8")),
  ]),
);

/** Pattern of the files of a dependency: a package of this repository, or one that was installed. */
const findFiles = (name) => {
  const own = [...manifests].find(([, manifest]) => manifest.name === name);
  return own ? `^${own[0]}/` : `node_modules/${name}/`;
};

/** For each published package: it runs where its dependencies are installed, and nothing else is. */
const shipped = [...manifests]
  .filter(([folder, { private: isPrivate }]) => folder.startsWith("packages/") && isPrivate !== true)
  .flatMap(([folder, { dependencies, peerDependencies, optionalDependencies, devDependencies = {} }]) => {
    const installed = { ...dependencies, ...peerDependencies, ...optionalDependencies };
    const name = folder.replace("packages/", "");
    const missing = Object.keys(devDependencies).filter(
      (dependency) => !(dependency in installed) && !bundled[name]?.includes(dependency),
    );
    if (missing.length === 0) return [];
    return {
      name: `${name}-imports-what-it-installs`,
      comment: "Who installs a package gets its dependencies, and not what only its tests and its build need.",
      severity: "error",
      from: { path: sources(name) },
      to: { path: missing.map(findFiles) },
    };
  });

export default {
  forbidden: [
    ...shipped,
    {
      name: "no-circles",
      comment: "A module that needs itself can't be understood by itself.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-circles-of-folders",
      comment: "Folders of a package point one way, too.",
      severity: "error",
      scope: "folder",
      from: { path: "^packages/[^/]+/src/." },
      to: { circular: true },
    },
    {
      name: "nothing-unresolved",
      comment: "Every import leads somewhere.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "spec-imports-nothing",
      comment: "The contract is data; only its tests are code, and what puts the words of a service in.",
      severity: "error",
      from: { path: "^spec/", pathNot: "^spec/(test/|words/|generators/|vitest\\.config)" },
      to: {},
    },
    {
      name: "stream-stands-alone",
      comment: "Bytes to events: no HTTP, no runtime of its own, no dependency. Types of the contract are erased.",
      severity: "error",
      from: { path: sources("stream") },
      to: { pathNot: [sources("stream"), "^spec/generated/types"] },
    },
    {
      name: "contract-diff-stands-alone",
      comment: "It compares any two OpenAPI documents: of the contract, the suite and the service it knows nothing.",
      severity: "error",
      from: { path: sources("contract-diff") },
      to: { path: "^(spec|packages|testing)/", pathNot: sources("contract-diff") },
    },
    {
      name: "client-uses-stream-alone",
      comment: "The client is openapi-fetch on the contract's types, and our stream.",
      severity: "error",
      from: { path: sources("client") },
      to: {
        // These two are bundled into files of their own, which are loaded when a plain JSON Schema, or one with patterns, is used.
        pathNot: [
          sources("client"),
          sources("stream"),
          "^spec/generated/(control-)?types",
          "node_modules/openapi-fetch/",
          "node_modules/@cfworker/json-schema/",
          "^packages/client/package.json$", // its version
          "^(fs|fs/promises|os|path|url|stream)$", // their types: the modules themselves are asked for when they are needed
        ],
      },
    },
    {
      name: "unused-parts-cost-nothing",
      comment:
        "Who imports the client gets neither the conversions of cookies nor the downloads nor the detached runs nor the control client.",
      severity: "error",
      from: { path: sources("client"), pathNot: `${sources("client")}(cookies|replay|runs|control)` },
      to: { path: `${sources("client")}(cookies|replay|runs|control)` },
    },
    {
      name: "the-judge-looks-for-itself",
      comment:
        "A client or a tolerant reader hides what a judge must see. A service is started as a process, as any target is.",
      severity: "error",
      from: { path: sources("conformance") },
      to: {
        path: ["client", "stream", "service", "automation", "browsers", "recorder", "page-content"].map(sources),
      },
    },
    {
      name: "checks-are-data-and-judges",
      comment:
        "A check, or an observer, knows exchanges, the contract and what the pages of the site say; it sends nothing, reads no file and renders nothing.",
      severity: "error",
      from: { path: `${sources("conformance")}(checks|observations)/` },
      to: {
        path: [
          `${sources("conformance")}(http/(transport|sender)|run/|configuration/|report/|baseline/|cli/|cli\\.ts|bindings/)`,
          `${sources("conformance")}site/(?!pages/|clock-code)`,
          io,
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "writers-only-render",
      comment: "A report writer turns the result tree into text, and knows nothing of how it came about.",
      severity: "error",
      from: { path: `${sources("conformance")}report/` },
      to: {
        path: sources("conformance"),
        pathNot: `${sources("conformance")}(report/|checks/check|redaction/|http/(suite-error|credentials|json))`,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "writers-give-text",
      comment: "A report writer returns text; only read-report.ts reads a file.",
      severity: "error",
      from: { path: `${sources("conformance")}report/`, pathNot: "/report/read-report\\.ts$" },
      to: { path: io, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "one-place-decides-what-is-sent",
      comment: "Only sender.ts, which asks profile, budget, circuit breaker and rate, gives requests to transport.ts.",
      severity: "error",
      from: { path: sources("conformance"), pathNot: `${sources("conformance")}http/sender\\.ts` },
      to: { path: `${sources("conformance")}http/transport\\.ts`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "one-place-sends",
      comment:
        "Every request of the suite goes through transport.ts, so that limits and secrets have one place. The site is a server, and liveness.ts sends nothing.",
      severity: "error",
      from: {
        path: sources("conformance"),
        pathNot: `${sources("conformance")}(http/(transport|liveness)|site/fixture-site)\\.ts`,
      },
      to: { path: "^(node:)?(http|https|http2|net|tls)$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "the-service-implements-the-contract",
      comment: "The service and its parts know the contract and read streams; they neither call nor judge themselves.",
      severity: "error",
      from: { path: parts },
      to: { path: [sources("client"), sources("conformance")] },
    },
    {
      name: "parts-know-no-service",
      comment: "A part of the service is useful alone: nothing points back.",
      severity: "error",
      from: { path: ["page-content", "recorder", "automation", "browsers"].map(sources) },
      to: { path: sources("service") },
    },
    {
      name: "parts-stand-beside-each-other",
      comment: "Reading a page, recording it and running browsers are apart; an automation reads pages.",
      severity: "error",
      from: { path: "^packages/(page-content|recorder|browsers)/src/" },
      to: { path: parts, pathNot: "^packages/$1/src/" },
    },
    {
      name: "automations-only-read-pages",
      comment: "A task is performed on a page that somebody else opened: no browser, no recording.",
      severity: "error",
      from: { path: sources("automation") },
      to: { path: parts, pathNot: [sources("automation"), sources("page-content")] },
    },
    {
      name: "code-in-pages-is-alone",
      comment: "What runs inside of pages has no Node, and nothing of the package but itself.",
      severity: "error",
      from: {
        path: `${sources("page-content")}in-page/`,
        pathNot: `${sources("page-content")}in-page/bundle\\.ts`,
      },
      to: { pathNot: [`${sources("page-content")}in-page/`, "node_modules/(@mozilla/readability|defuddle)/"] },
    },
    {
      name: "one-place-knows-http",
      comment:
        "Sessions, runs, stores and the like know nothing of requests; only the folder of builders puts them behind routes.",
      severity: "error",
      from: { path: sources("service"), pathNot: `${sources("service")}(http/|cli/|cli\\.ts|start/)` },
      to: { path: `${sources("service")}(http|cli)/` },
    },
    {
      name: "one-place-reads-requests",
      comment: "A request of Hono or Node.js is read in http/ only; request-spans.ts traces it.",
      severity: "error",
      from: { path: sources("service"), pathNot: `${sources("service")}(http/|tracing/request-spans\\.ts)` },
      to: { path: ["^(node:)?(http|https|http2)$", "node_modules/(hono|@hono|httpxy)/"] },
    },
    {
      name: "one-place-knows-the-command-line",
      comment: "Flags and the terminal concern cli/ only.",
      severity: "error",
      from: { path: parts, pathNot: `${sources("service")}(cli/|cli\\.ts)` },
      to: { path: [`${sources("service")}cli/`, "node_modules/commander/"] },
    },
    {
      name: "the-console-is-a-client",
      comment:
        "The console speaks as any program does: by the client, the stream, and the types of the control interface.",
      severity: "error",
      from: { path: sources("console") },
      to: {
        path: "^(spec|packages|testing)/",
        pathNot: [sources("console"), sources("client"), sources("stream"), "^spec/generated/control-types"],
      },
    },
    {
      name: "agents-are-clients",
      comment: "The tools of agents speak by the client and the stream; of the service they know nothing else.",
      severity: "error",
      from: { path: sources("agent-tools") },
      to: {
        path: "^(spec|packages|testing)/",
        pathNot: [sources("agent-tools"), sources("client"), sources("stream"), "^packages/agent-tools/package.json$"],
      },
    },
    {
      name: "one-definition-three-doors",
      comment: "A tool knows neither MCP nor the AI SDK: only their doors do.",
      severity: "error",
      from: { path: sources("agent-tools"), pathNot: `${sources("agent-tools")}(mcp|ai-sdk|cli)` },
      to: { path: "node_modules/(@modelcontextprotocol|ai)/" },
    },
    {
      name: "no-test-code-in-sources",
      severity: "error",
      from: { path: "/src/" },
      to: { path: "/test/", pathNot: "node_modules/@playwright/test/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Folders of ours. The libraries' own `dist` folders are what the rules on dependencies look at.
    exclude: {
      path: "^(?!.*node_modules/).*(^|/)(dist|bench|clients|runtimes/binaries|generators/(consumers|configs))/",
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      conditionNames: ["@cloud-browser/source", "types", "import", "node", "default"],
      exportsFields: ["exports"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
