import type { ValidateFunction } from "ajv";

/** Maximum number of values that are left out of one answer. */
const maxLeftOut = 200;

/**
 * Returns the rest of data that breaks its schema when the values that break it are left out, or made null where they have to be
 * there: the least part of an object that holds each. The data is changed.
 *
 * @param validate - Has just refused the data.
 * @returns Undefined when nothing is left that follows the schema.
 */
export function supportedPart(validate: ValidateFunction, data: unknown): unknown {
  const leftOut = new Set<string>();
  const nulls = new Set<string>();
  for (let count = 0; count < maxLeftOut; count += 1) {
    const error = validate.errors?.at(-1);
    if (error === undefined) return undefined;
    const { instancePath, keyword, params } = error;
    const missing = keyword === "required" ? `${instancePath}/${escapePointer(String(params["missingProperty"]))}` : "";
    if (leftOut.has(missing) && !nulls.has(missing)) {
      nulls.add(missing);
      const { holder, name } = findHolder(data, splitPointer(missing));
      if (isObject(holder)) holder[name] = null;
    } else {
      const place = leaveOut(data, instancePath);
      if (place === undefined) return undefined;
      leftOut.add(place);
    }
    if (validate(data)) return data;
  }
  return undefined;
}

/**
 * Removes the smallest part of an object at a path, and its parents that become empty; returns its path, or undefined when nothing would
 * be left.
 */
function leaveOut(data: unknown, path: string): string | undefined {
  for (let parts = splitPointer(path); parts.length > 0; parts = parts.slice(0, -1)) {
    const { holder, name } = findHolder(data, parts);
    if (!isObject(holder)) continue;
    delete holder[name];
    if (Object.keys(holder).length > 0) return parts.map((part) => `/${escapePointer(part)}`).join("");
  }
  return undefined;
}

function findHolder(data: unknown, parts: readonly string[]): { readonly holder: unknown; readonly name: string } {
  let holder = data;
  for (const part of parts.slice(0, -1)) {
    if (Array.isArray(holder)) holder = holder[Number(part)];
    else holder = isObject(holder) ? holder[part] : undefined;
  }
  return { holder, name: parts.at(-1) ?? "" };
}

/** The names in a JSON Pointer. */
function splitPointer(path: string): string[] {
  const names = path.split("/").slice(1);
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
