import { ServiceError } from "../../service-error.ts";

/**
 * Returns the statements that bring the tables of a database to the newest version; it remembers how many it has seen.
 *
 * @param steps - Each brings the tables from one version to the next. Steps are only ever added.
 * @param place - The database, in words, and what may be used in its place.
 * @throws {ServiceError} `usage` when a newer version of the service wrote it.
 */
export function listStepsAfter(
  version: number,
  steps: readonly string[],
  place: { readonly name: string; readonly other: string },
): readonly string[] {
  if (version <= steps.length) return steps.slice(version);
  throw new ServiceError(
    "usage",
    `${place.name} was written by a newer version of the service (${version}, this one knows ${steps.length}); use that one, or ${place.other}`,
  );
}
