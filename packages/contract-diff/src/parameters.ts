import type { DiffContext } from "./diff-context.ts";
import { asList, readNode, writeText, type ContractDocument, type Node } from "./document.ts";
import { diffMedia } from "./media-types.ts";

/** Default `style` of OpenAPI for each place of a parameter. */
const defaultStyles: Readonly<Record<string, string>> = {
  path: "simple",
  query: "form",
  header: "simple",
  cookie: "form",
};

/** Names of header parameters that OpenAPI ignores. */
const ignoredHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/** An operation of a path. */
export interface PathOperation {
  /** The path as it is written. */
  readonly path: string;
  /** The path item, with the parameters that all its operations share. */
  readonly item: Node;
  /** The operation. */
  readonly operation: Node;
}

/** Compares the parameters of an operation: path parameters by their position, headers whatever their case. */
export function diffParameters(
  before: PathOperation,
  after: PathOperation,
  context: DiffContext,
  where: readonly string[],
): void {
  const { list } = context;
  const was = listParameters(before, context.old);
  const is = listParameters(after, context.now);
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(key), is.get(key)];
    const place = [...where, `${String((old ?? now)?.["in"])} parameter ${String((old ?? now)?.["name"])}`];
    if (!now) list.add("breaking", place, "the parameter was removed");
    else if (old) diffParameter(old, now, context, place);
    else if (now["required"] === true)
      list.add("breaking", place, "a required parameter was added: requests without it are rejected");
    else list.add("additive", place, "a parameter was added");
  }
}

function listParameters({ path, item, operation }: PathOperation, document: ContractDocument): Map<string, Node> {
  const places = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  const all = [...asList(item["parameters"]), ...asList(operation["parameters"])].map((one) =>
    readNode(document.resolve(one)),
  );
  const pairs = all.map((parameter): [string, Node] => {
    const [place, name] = [String(parameter["in"]), String(parameter["name"])];
    if (place === "path") return [`path ${places.indexOf(name)}`, parameter];
    return [`${place} ${place === "header" ? name.toLowerCase() : name}`, parameter];
  });
  return new Map(pairs.filter(([key]) => !ignoredHeaders.has(key.replace(/^header /, ""))));
}

function diffParameter(old: Node, now: Node, context: DiffContext, where: readonly string[]): void {
  const { list } = context;
  if (old["in"] === "path" && old["name"] !== now["name"]) {
    list.add(
      "breaking",
      where,
      `the parameter is called ${String(now["name"])} now: generated clients take it by its name`,
    );
  }
  const [needed, needs] = [old["required"] === true, now["required"] === true];
  if (needed !== needs)
    list.add(
      needs ? "breaking" : "additive",
      where,
      `the parameter is ${needs ? "required now" : "no longer required"}`,
    );
  if (findStyle(old) !== findStyle(now))
    list.add("breaking", where, `it is written as ${findStyle(now)} now, was ${findStyle(old)}`);
  list.addDiffering("documentation", where, ["description", "deprecated", "example", "examples"], old, now);
  const place = { direction: "request", where } as const;
  if (old["content"] || now["content"]) diffMedia(old["content"], now["content"], context, place);
  else context.schemas(sendable(old, context.old), sendable(now, context.now), context, place);
}

/** Returns the choices of a schema that are not null; a single one is not a choice. */
function choicesBesideNull(anyOf: unknown): Node {
  if (anyOf === undefined) return {};
  const others = asList(anyOf).filter((choice) => readNode(choice)["type"] !== "null");
  return others.length === 1 ? readNode(others[0]) : { anyOf: others };
}

/** Returns the schema of a parameter, for a header without `null`: a header that is sent has a value. */
function sendable(parameter: Node, document: ContractDocument): unknown {
  const schema = parameter["schema"] ?? {};
  if (parameter["in"] !== "header") return schema;
  const { type, anyOf, ...others } = readNode(document.resolve(schema));
  return {
    ...others,
    ...(type === undefined ? {} : { type: Array.isArray(type) ? type.filter((name) => name !== "null") : type }),
    ...choicesBesideNull(anyOf),
  };
}

function findStyle(parameter: Node): string {
  const style = writeText(parameter["style"], defaultStyles[writeText(parameter["in"], "")] ?? "");
  const explode = parameter["explode"] ?? style === "form";
  return `${style}${explode === true ? ", exploded" : ""}${parameter["allowReserved"] === true ? ", with reserved signs" : ""}`;
}
