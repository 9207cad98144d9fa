/**
 * Returns whether an object has methods but implements neither Standard Schema nor serialization: a schema of zod before 3.24, yup, joi or
 * superstruct, which is not a JSON Schema although it could be sent as one.
 */
export function hasMethods(schema: object): boolean {
  if ("~standard" in schema || "toJSON" in schema) return false;
  for (let at: unknown = schema; at && Object.getPrototypeOf(at) !== null; at = Object.getPrototypeOf(at)) {
    const own = Object.entries(Object.getOwnPropertyDescriptors(Object(at)));
    if (own.some(([name, { value }]) => name !== "constructor" && typeof value === "function")) return true;
  }
  return false;
}
