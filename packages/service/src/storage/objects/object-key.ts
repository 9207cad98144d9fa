import { ServiceError } from "../../service-error.ts";

const form = /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/;

/** Most characters of a key: what object stores allow, less what a prefix may take. */
const longest = 512;

/**
 * A key, or a folder of keys, as it is.
 *
 * @throws {ServiceError} `usage` if it is malformed: a part that begins with a dot could leave the folder.
 */
export function checkedKey(key: string): string {
  if (form.test(key) && key.length <= longest) return key;
  throw new ServiceError("usage", `malformed object key ${JSON.stringify(key.slice(0, 100))}`);
}
