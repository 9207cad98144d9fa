import { isDeepStrictEqual } from "node:util";
import type { DiffContext } from "./diff-context.ts";
import { isObject, asList, readNode, writeText, type ContractDocument, type Node } from "./document.ts";
import { diffMedia } from "./media-types.ts";
import { diffParameters, type PathOperation } from "./parameters.ts";
import { diffSecurity } from "./security.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Fields of an operation without effect on the wire. */
const explaining = ["summary", "description", "tags", "deprecated", "externalDocs"];

/** Fields of an operation that are compared as a whole. */
const wholes = ["callbacks"];

/** Compares the operations of two contracts. They belong together by method and path, whatever the path parameters are called. */
export function diffOperations(context: DiffContext): void {
  const was = listOperations(context.old);
  const is = listOperations(context.now);
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [before, after] = [was.get(key), is.get(key)];
    const where = [`${key.split(" ", 1)[0]} ${(before ?? after)?.path}`];
    if (!after) context.list.add("breaking", where, "the operation was removed");
    else if (!before) context.list.add("additive", where, "an operation was added");
    else diffOperation(before, after, context, where);
  }
}

function listOperations(document: ContractDocument): Map<string, PathOperation> {
  const operations = new Map<string, PathOperation>();
  for (const [path, value] of Object.entries(readNode(document.root["paths"]))) {
    const item = readNode(document.resolve(value));
    const entries = methods.map((method): [string, unknown] => [method.toUpperCase(), item[method]]);
    for (const [method, operation] of [...entries, ...Object.entries(readNode(item["additionalOperations"]))]) {
      if (isObject(operation))
        operations.set(`${method} ${path.replace(/\{[^}]*\}/g, "{}")}`, { path, item, operation });
    }
  }
  return operations;
}

function diffOperation(
  before: PathOperation,
  after: PathOperation,
  context: DiffContext,
  where: readonly string[],
): void {
  const { list } = context;
  const [old, now] = [before.operation, after.operation];
  if (old["operationId"] !== now["operationId"]) {
    const ids = `${String(old["operationId"])} to ${String(now["operationId"])}`;
    list.add("breaking", where, `operationId changed from ${ids}: generated clients name their functions after it`);
  }
  for (const name of new Set([
    ...explaining,
    ...Object.keys({ ...old, ...now }).filter((key) => key.startsWith("x-")),
  ])) {
    if (!sameSet(old[name], now[name])) list.add("documentation", where, `${name} changed`);
  }
  for (const name of wholes) {
    if (isDeepStrictEqual(old[name], now[name])) continue;
    list.add(old[name] === undefined ? "additive" : "breaking", where, `${name} changed`);
  }
  diffServers(before, after, context, where);
  diffSecurity(old, now, context, where);
  diffParameters(before, after, context, where);
  diffRequestBody(old["requestBody"], now["requestBody"], context, where);
  diffResponses(readNode(old["responses"]), readNode(now["responses"]), context, where);
}

/** Returns whether two lists have the same elements, in any order. */
function sameSet(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(order(before), order(after));
}

function order(value: unknown): unknown {
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).toSorted((a, b) => (a < b ? -1 : 1)) : value;
}

function diffServers(
  before: PathOperation,
  after: PathOperation,
  { old, now, list }: DiffContext,
  place: readonly string[],
): void {
  const where = [...place, "servers"];
  const was = listServers(before, old);
  const is = listServers(after, now);
  for (const [url, server] of was) {
    const other = is.get(url) ?? findFilledIn(url, server, is);
    if (!other) list.add("breaking", where, `the address ${url} was removed`);
    else if (!isDeepStrictEqual(server, other)) list.add("documentation", where, `the description of ${url} changed`);
  }
  for (const [url, server] of is) {
    if (!was.has(url) && !findFilledIn(url, server, was)) list.add("additive", where, `the address ${url} was added`);
  }
}

/** Finds the server with the same URL after its variables are replaced by their defaults. */
function findFilledIn(url: string, server: Node, others: ReadonlyMap<string, Node>): Node | undefined {
  const address = formatAddress(url, server);
  if (address !== url) return others.get(address);
  return [...others].find(([template, other]) => template !== url && formatAddress(template, other) === url)?.[1];
}

function formatAddress(url: string, server: Node): string {
  const variables = readNode(server["variables"]);
  return url.replace(/\{(\w+)\}/g, (variable, name: string) =>
    writeText(readNode(variables[name])["default"], variable),
  );
}

function listServers({ item, operation }: PathOperation, { root }: ContractDocument): Map<string, Node> {
  const servers = asList(operation["servers"] ?? item["servers"] ?? root["servers"]).map(readNode);
  return new Map(servers.map((server) => [String(server["url"]), server]));
}

function diffRequestBody(before: unknown, after: unknown, context: DiffContext, place: readonly string[]): void {
  const { old, now, list } = context;
  const where = [...place, "request body"];
  if (before === undefined && after === undefined) return;
  const [was, is] = [readNode(old.resolve(before)), readNode(now.resolve(after))];
  const needs = is["required"] === true;
  if (after === undefined) return list.add("breaking", where, "the body was removed");
  if (before === undefined) {
    const what = needs ? "a required body was added: requests without it are rejected" : "a body was added";
    return list.add(needs ? "breaking" : "additive", where, what);
  }
  if ((was["required"] === true) !== needs) {
    list.add(needs ? "breaking" : "additive", where, `the body is ${needs ? "required now" : "no longer required"}`);
  }
  if (was["description"] !== is["description"]) list.add("documentation", where, "description changed");
  diffMedia(was["content"], is["content"], context, { direction: "request", where });
}

function diffResponses(before: Node, after: Node, context: DiffContext, place: readonly string[]): void {
  for (const status of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (status.startsWith("x-")) continue;
    const where = [...place, `response ${status}`];
    if (!Object.hasOwn(after, status)) context.list.add("breaking", where, "the status was removed");
    else if (!Object.hasOwn(before, status)) context.list.add("additive", where, "a status was added");
    else diffResponse(before[status], after[status], context, where);
  }
}

function diffResponse(before: unknown, after: unknown, context: DiffContext, where: readonly string[]): void {
  const { old, now, list } = context;
  const [was, is] = [readNode(old.resolve(before)), readNode(now.resolve(after))];
  const extensions = Object.keys({ ...was, ...is }).filter((key) => key.startsWith("x-"));
  list.addDiffering("documentation", where, ["description", "summary", "links", ...extensions], was, is);
  diffHeaders(readNode(was["headers"]), readNode(is["headers"]), context, where);
  diffMedia(was["content"], is["content"], context, { direction: "response", where });
}

function diffHeaders(before: Node, after: Node, context: DiffContext, place: readonly string[]): void {
  const [was, is] = [headersByName(before), headersByName(after)];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const where = [...place, `header ${name}`];
    if (!is.has(name)) context.list.add("breaking", where, "the header was removed");
    else if (!was.has(name)) context.list.add("additive", where, "a header was added");
    else diffHeader(was.get(name), is.get(name), context, where);
  }
}

function headersByName(headers: Node): Map<string, unknown> {
  return new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
}

function diffHeader(before: unknown, after: unknown, context: DiffContext, where: readonly string[]): void {
  const [was, is] = [readNode(context.old.resolve(before)), readNode(context.now.resolve(after))];
  const [had, has] = [was["required"] === true, is["required"] === true];
  if (had !== has)
    context.list.add(
      had ? "breaking" : "additive",
      where,
      `the header is ${has ? "always there now" : "no longer always there"}`,
    );
  if (was["description"] !== is["description"]) context.list.add("documentation", where, "description changed");
  context.schemas(was["schema"] ?? {}, is["schema"] ?? {}, context, { direction: "response", where });
}
