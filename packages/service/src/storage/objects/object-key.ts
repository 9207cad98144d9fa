import { ServiceError } from "../../service-error.ts";

const form = /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/;

/** Most characters of a key: what object stores allow, less what a prefix may take. */
const maxLength = 512;

/**
 * Checks a key, or a folder of keys, and returns it unchanged.
 *
 * @throws {ServiceError} `usage` if it is malformed: a part that begins with a dot could leave the folder.
 */
export function checkObjectKey(key: string): string {
  if (form.test(key) && key.length <= maxLength) return key;
  throw new ServiceError("usage", `malformed object key ${JSON.stringify(key.slice(0, 100))}`);
}
