import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { ServiceError } from "../service-error.ts";

/** Name of the file that says what a backup holds. A folder without it is not a backup. */
export const manifestFile = "backup.json";

/** Name of the file of records in a backup, and in a data folder. */
export const recordsFile = "records.sqlite";

/** Largest manifest that is read, in bytes: that of a million files. */
export const maxManifestBytes = 256 * 2 ** 20;

/** Version of the form of backups. */
const format = 1;

const id = String.raw`[\w-]{1,128}`;
/** Paths of files that a backup has: none leads out of it, and each belongs to a data folder. */
const pathForm = new RegExp(
  String.raw`^(?:${recordsFile.replace(".", String.raw`\.`)}|(?:api-key|signing)\.secret|recordings/${id}(?:/(?!\.)[\w.-]{1,128}){1,8}|files/kept/${id}/${id})$`,
  "u",
);

/** Returns whether a path may be in a backup: relative, with slashes, of a file that belongs to a data folder. */
export function isBackupPath(path: string): boolean {
  return pathForm.test(path);
}

/** A file of a backup: its path below the folder, its bytes, and their SHA-256 in hexadecimal. */
export interface BackupFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Contents of a backup: the version of the service and of the tables that wrote it, when, and all of its files but the manifest. */
export interface Manifest {
  readonly format: typeof format;
  readonly version: string;
  readonly schema: number;
  readonly created_at: string;
  readonly files: readonly BackupFile[];
}

const natural = { type: "integer", minimum: 0 };
const validate = new Ajv2020().compile<Manifest>({
  type: "object",
  required: ["format", "version", "schema", "created_at", "files"],
  properties: {
    format: { const: format },
    version: { type: "string", maxLength: 100 },
    schema: natural,
    created_at: { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$` },
    files: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "size", "sha256"],
        additionalProperties: false,
        properties: {
          path: { type: "string" },
          size: natural,
          sha256: { type: "string", pattern: String.raw`^[\da-f]{64}$` },
        },
      },
    },
  },
});

/** Returns the text of a manifest. */
export function writeManifest(manifest: Omit<Manifest, "format">): string {
  return `${JSON.stringify({ format, ...manifest }, undefined, 1)}\n`;
}

/**
 * Reads a manifest.
 *
 * @throws {ServiceError} `backup-failed` when it is malformed, is of a newer version, or names a file that no backup has.
 */
export function parseManifest(text: string): Manifest {
  const manifest = parseJson(text);
  const { format: written }: { format?: unknown } = Object(manifest);
  if (typeof written === "number" && written > format)
    throw makeUnusableError("it was made by a newer version of the service; restore it with that one");
  if (!validate(manifest)) throw makeUnusableError(`it is damaged at ${findDamage(validate.errors?.[0])}`);
  const paths = new Set<string>();
  for (const { path } of manifest.files) {
    if (!isBackupPath(path))
      throw makeUnusableError(`it names a file that does not belong to a data folder: ${quotePath(path)}`);
    if (paths.has(path)) throw makeUnusableError(`it names ${path} twice`);
    paths.add(path);
  }
  if (!paths.has(recordsFile)) throw makeUnusableError(`it does not name ${recordsFile}`);
  return manifest;
}

/** Quotes a name from a file, so that a terminal does not obey it. */
export function quotePath(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

/** Returns where a manifest is wrong: `files.1.size`. */
function findDamage(error: ErrorObject | undefined): string {
  const missing: unknown = error?.params["missingProperty"];
  const path = (error?.instancePath ?? "").split("/").slice(1);
  return [...path, ...(typeof missing === "string" ? [missing] : [])].join(".") || "its beginning";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw makeUnusableError("it is no JSON");
  }
}

function makeUnusableError(why: string): ServiceError {
  return new ServiceError("backup-failed", `${manifestFile} can't be used: ${why}`);
}
