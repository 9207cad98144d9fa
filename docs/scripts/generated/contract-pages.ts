import { code, fence, prose, table } from "../markdown.ts";
import { firstSentence, type SitePage } from "../page.ts";
import { readText } from "../repository-pages.ts";
import { describeBounds, describeFields, describeType, node, nodes, text, type Node } from "./schema-text.ts";

/** A document of OpenAPI that is rendered. */
interface Rendered {
  readonly slug: string;
  readonly title: string;
  readonly file: string;
  /** Introduction to the whole document. */
  readonly lead: string;
}

const documents: readonly Rendered[] = [
  {
    slug: "contract",
    title: "The contract",
    file: "spec/generated/openapi.json",
    lead: "The [interface](/interface/) as OpenAPI. It is the package `@cloud-browser/spec`; the file is `openapi.json`, and for tools of OpenAPI 3.1 `openapi-3.1.json`.",
  },
  {
    slug: "control",
    title: "The control interface",
    file: "spec/generated/control.openapi.json",
    lead: "What `@cloud-browser/service` does beyond [the interface](/interface/): it opens, drives and ends sessions, and lists runs. Other services have another one, or none.",
  },
];

/** Returns the pages of the contract and of the control interface: the list of operations, each operation, and the schemas. */
export function makeContractPages(): SitePage[] {
  return documents.flatMap((one) => writePages(one, node(JSON.parse(readText(one.file)))));
}

/** An operation with its place in the document. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly definition: Node;
  readonly parameters: readonly Node[];
}

const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

function writePages({ slug, title, lead }: Rendered, document: Node): SitePage[] {
  const operations = Object.entries(node(document["paths"])).flatMap(([path, item]): Operation[] =>
    Object.entries(node(item))
      .filter(([method]) => methods.has(method))
      .map(([method, value]) => {
        const definition = node(value);
        const parameters = [...nodes(node(item)["parameters"]), ...nodes(definition["parameters"])];
        return { id: text(definition, "operationId"), method: method.toUpperCase(), path, definition, parameters };
      }),
  );
  const schemas = `/${slug}/schemas/`;
  const info = node(document["info"]);
  const list: SitePage = {
    slug,
    title,
    description: `The operations of ${title.toLowerCase()}, version ${text(info, "version")}.`,
    body: [
      lead,
      text(info, "description"),
      "## Operations",
      table(
        ["operation", "request", "does"],
        operations.map(({ id, method, path, definition }) => [
          `[${id}](/${slug}/${id}/)`,
          code(`${method} ${path}`),
          prose(text(definition, "summary")),
        ]),
      ),
      `The objects of requests and responses are on a page of their own: [schemas](${schemas}).`,
    ].join("\n\n"),
  };
  return [
    list,
    ...operations.map((one) => makeOperationPage(one, document, slug)),
    makeSchemasPage(slug, title, document),
  ];
}

function makeOperationPage(operation: Operation, document: Node, slug: string): SitePage {
  const { id, method, path, definition } = operation;
  const schemas = `/${slug}/schemas/`;
  const resolve = (value: Node): Node => resolveReference(value, document);
  const parameters = operation.parameters.map(resolve);
  const body = resolve(node(definition["requestBody"]));
  const responses = Object.entries(node(definition["responses"])).map(([status, value]) => ({
    status,
    response: resolve(node(value)),
  }));
  return {
    slug: `${slug}/${id}`,
    title: id,
    description: text(definition, "summary"),
    isOneOfMany: true,
    settings: ["prev: false", "next: false"],
    body: [
      fence("http", `${method} ${path}`),
      prose(text(definition, "summary")),
      text(definition, "description"),
      ...(parameters.length === 0
        ? []
        : [
            "## Parameters",
            table(
              ["name", "in", "type", "meaning"],
              parameters.map((one) => [
                `${code(text(one, "name"))}${one["required"] === true ? " (required)" : ""}`,
                text(one, "in"),
                describeType(one["schema"], schemas),
                [prose(text(one, "description")), describeBounds(one["schema"])]
                  .filter((part) => part !== "")
                  .join(" "),
              ]),
            ),
          ]),
      ...(Object.keys(body).length === 0
        ? []
        : ["## Request body", prose(text(body, "description")), ...renderContents(body, schemas, document)]),
      "## Responses",
      ...responses.map(({ status, response }) => answer(status, response, schemas, document)),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  };
}

function answer(status: string, response: Node, schemas: string, document: Node): string {
  const heading = `### ${status === "default" ? "Any other status" : status}`;
  const parts = [heading, text(response, "description"), ...renderContents(response, schemas, document)];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Renders the contents of a body: its type, the fields of its schema, and its examples. */
function renderContents(body: Node, schemas: string, document: Node): string[] {
  return Object.entries(node(body["content"])).flatMap(([type, value]) => {
    const media = node(value);
    const schema = media["schema"] ?? media["itemSchema"];
    const every = media["schema"] === undefined && media["itemSchema"] !== undefined ? "each item " : "";
    const examples = Object.entries(node(media["examples"])).map(([name, example]) => {
      const one = resolveReference(node(example), document);
      const shown =
        "serializedValue" in one
          ? text(one, "serializedValue")
          : JSON.stringify(one["value"] ?? one["dataValue"], null, 2);
      const language = type.includes("json") ? "json" : "text";
      const title = text(one, "summary") || name;
      return `<details>\n<summary>Example: ${title}</summary>\n\n${fence(language, shown ?? "")}\n\n</details>`;
    });
    return [
      `${code(type)}: ${every}${describeType(schema, schemas)}`,
      describeFields(resolveReference(node(schema), document), schemas),
      ...examples,
    ].filter((part) => part !== "");
  });
}

function makeSchemasPage(slug: string, title: string, document: Node): SitePage {
  const own = `/${slug}/schemas/`;
  const parts = Object.entries(node(node(document["components"])["schemas"])).map(([name, value]) => {
    const schema = node(value);
    const fields = describeFields(schema, own);
    const isClosed = schema["additionalProperties"] === false ? "No other field is allowed." : "";
    return [
      `## ${name}`,
      text(schema, "description"),
      fields || `It is ${describeType(schema, own)}. ${describeBounds(schema)}`.trim(),
      isClosed,
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  });
  return {
    slug: `${slug}/schemas`,
    title: `Schemas of ${title.toLowerCase()}`,
    description: firstSentence(`The objects that the requests and responses of ${title.toLowerCase()} are made of.`),
    body: parts.join("\n\n"),
  };
}

/** Follows a reference within the document. */
function resolveReference(value: Node, document: Node): Node {
  const reference = text(value, "$ref");
  if (!reference.startsWith("#/")) return value;
  const target = reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, step) => node(at)[step.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  return resolveReference(node(target), document);
}
