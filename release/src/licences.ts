import satisfies from "spdx-satisfies";

/** A part of a release, and under which licence it is. */
export interface LicensedPart {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; empty where none is known. */
  readonly license: string;
}

/** Permissive licences: they allow use, change and redistribution, also in closed software. */
const permissive = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

/** Parts that may be under another licence, and why. */
export interface LicenceException {
  readonly name: string;
  readonly license: string;
  readonly reason: string;
}

/** The exceptions of this repository. */
export const licenceExceptions: readonly LicenceException[] = [
  {
    name: "@cloud-browser/ffmpeg-linux-x64",
    license: "GPL-3.0-only",
    reason: "a program of its own that the service starts and nothing is linked with; it can be left out (--ffmpeg)",
  },
];

/**
 * Returns problems with the licences of parts: a licence that is not permissive or not known, or an exception that is no longer needed.
 *
 * @returns One sentence for each; none if all is well.
 */
export function findLicenceProblems(
  parts: readonly LicensedPart[],
  exceptions: readonly LicenceException[] = licenceExceptions,
): string[] {
  const isExcepted = (part: LicensedPart, { name, license }: LicenceException): boolean =>
    part.name === name && part.license === license;
  const refusals = parts
    .filter(({ license }) => !isPermissive(license))
    .filter((part) => !exceptions.some((exception) => isExcepted(part, exception)))
    .map(
      ({ name, version, license }) =>
        `${name} ${version} is under ${license === "" ? "no known licence" : license}, which is not among ${permissive.join(", ")}`,
    );
  const stale = exceptions
    .filter((exception) => !parts.some((part) => isExcepted(part, exception)))
    .map(({ name, license }) => `the exception of ${name} (${license}) is needed by nothing; remove it`);
  return [...refusals, ...stale];
}

/** Returns whether an SPDX expression can be fulfilled with permissive licences alone. False for any other text. */
export function isPermissive(license: string): boolean {
  try {
    return satisfies(license, permissive);
  } catch {
    return false;
  }
}
