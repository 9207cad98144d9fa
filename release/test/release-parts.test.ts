import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findBundledPackages } from "../src/bundled-code.ts";
import { findChanges, renderReleaseNotes } from "../src/changes.ts";
import { cloneClean } from "../src/clean-clone.ts";
import { findLicenceProblems, isPermissive, licenceExceptions } from "../src/licences.ts";
import { rewriteOutwardLinks } from "../src/outward-links.ts";
import { isLoopback } from "../src/publish-release.ts";
import { checkChecksums, renderChecksums } from "../src/release-record.ts";
import { writeRepository } from "../src/tarballs.ts";
import { listPublishedPackages, findManifest, repositoryRoot, type PublishedPackage } from "../src/workspace.ts";

const scratch = mkdtempSync(join(tmpdir(), "release-parts-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
}

const stream = findManifest(join(repositoryRoot, "packages/stream"));
const makePackage = (directory: string): PublishedPackage => ({ directory, manifest: stream });

describe("licences", () => {
  test.each([
    ["MIT", true],
    ["(MPL-2.0 OR Apache-2.0)", true],
    ["MIT AND ISC", true],
    ["(AFL-2.1 OR BSD-3-Clause)", true],
    ["GPL-3.0-only", false],
    ["MIT AND GPL-2.0-or-later", false],
    ["AGPL-3.0-only OR SSPL-1.0", false],
    ["UNLICENSED", false],
    ["SEE LICENSE IN LICENSE.txt", false],
    ["Business Source License", false],
    ["mit", false],
    ["", false],
  ])("%j is permissive: %s", (license, expected) => {
    expect(isPermissive(license)).toBe(expected);
  });

  const ffmpeg = { name: "@cloud-browser/ffmpeg-linux-x64", version: "1.0.0", license: "GPL-3.0-only" };

  test("one that is not permissive is named with its part; an exception is for one part and one licence", () => {
    const copyleft = { name: "left", version: "2.0.0", license: "GPL-3.0-only" };
    const problems = findLicenceProblems([ffmpeg, copyleft, { name: "none", version: "1.0.0", license: "" }]);
    expect(problems).toEqual([
      expect.stringMatching(/^left 2\.0\.0 is under GPL-3\.0-only, which is not among/),
      expect.stringMatching(/^none 1\.0\.0 is under no known licence/),
    ]);
    expect(findLicenceProblems([{ ...ffmpeg, license: "AGPL-3.0-only" }])).toHaveLength(2);
  });

  test("an exception that nothing needs is one too many", () => {
    expect(findLicenceProblems([ffmpeg])).toEqual([]);
    expect(findLicenceProblems([])).toEqual(licenceExceptions.map(({ name }) => expect.stringContaining(name)));
  });
});

describe("changelogs", () => {
  const changelog = `# @a/b

## 0.2.0

### Minor Changes

- 1234567: First.
  Of two lines.

### Patch Changes

- Updated dependencies [1234567]
- Updated dependencies
  - @a/c@0.2.0

## 0.1.1

### Patch Changes

- 7654321: Own.
- @a/c@0.1.1

## 0.1.0

No changes in this release.
`;

  test("of a version what it changes itself is told, not what only follows from others", () => {
    expect(findChanges(changelog, "0.2.0")).toBe("### Minor Changes\n\n- 1234567: First.\n  Of two lines.");
    expect(findChanges(changelog, "0.1.1")).toBe("### Patch Changes\n\n- 7654321: Own.");
    expect(findChanges(changelog, "0.1.0")).toBe("");
    expect(findChanges(changelog, "0.3.0")).toBeUndefined();
  });

  test("a package without an entry for its version stops the release", () => {
    write("a/CHANGELOG.md", "# a\n");
    expect(() => renderReleaseNotes(scratch, [makePackage("a")])).toThrow(/a\/CHANGELOG\.md has no entry for/);
  });
});

const map = (...sources: string[]): string => JSON.stringify({ version: 3, sources });

describe("what is bundled", () => {
  const other = "node_modules/.pnpm/other@1.2.3/node_modules/other";
  write(`${other}/package.json`, JSON.stringify({ name: "other", version: "1.2.3", license: "MIT" }));

  test("is found by source maps, and by the list of a build that has none", () => {
    write("b/dist/index.js", "one()");
    write("b/dist/index.js.map", map("../src/index.ts", `../../${other}/index.js`));
    write("b/dist/assets/app.js", "two()");
    write("b/dist/bundled.json", JSON.stringify([{ name: "third", version: "3.0.0", identifier: "ISC" }]));
    write("b/THIRD-PARTY-LICENSES.txt", "other 1.2.3\n\nthird 3.0.0\n");
    expect(findBundledPackages(scratch, makePackage("b"))).toEqual([
      { name: "third", version: "3.0.0", license: "ISC" },
      { name: "other", version: "1.2.3", license: "MIT" },
    ]);
  });

  test("must be named, in its version, in what is published with it", () => {
    write("c/dist/index.js", "one()");
    write("c/dist/index.js.map", map(`../../${other}/index.js`));
    write("c/THIRD-PARTY-LICENSES.txt", "other 1.2.2\n");
    expect(() => findBundledPackages(scratch, makePackage("c"))).toThrow(/publishes code of other 1\.2\.3/);
  });

  test("can't be known of a script with neither, unless it only passes on what others have", () => {
    write("d/dist/index.js", 'import { a } from "./a.js";\nexport { a as b };\n');
    expect(findBundledPackages(scratch, makePackage("d"))).toEqual([]);
    write("d/dist/index.js", 'import { a } from "./a.js";\nexport default () => a;\n');
    expect(() => findBundledPackages(scratch, makePackage("d"))).toThrow(/d\/dist\/index\.js has no source map/);
  });
});

describe("links of a README", () => {
  const packed = ["README.md", "LICENSE", "dist", "CHANGELOG.md"];
  const at = { repository: "https://example.com/owner/name", commit: "abc" };
  const blob = "https://example.com/owner/name/blob/abc";
  const raw = "https://example.com/owner/name/raw/abc";

  test.each([
    ["[a](../../docs/a.md#b)", `[a](${blob}/docs/a.md#b)`, "a"],
    ["[`a`](../other/README.md)", `[\`a\`](${blob}/packages/other/README.md)`, "`a`"],
    ["[a](bench/README.md)", `[a](${blob}/packages/one/bench/README.md)`, "a"],
    ["![a](../../a.png)", `![a](${raw}/a.png)`, "a"],
    ["[![a](../x.png)](../../b.md)", `[![a](${raw}/packages/x.png)](${blob}/b.md)`, "a"],
    ['[a](../b.md "B") and [c](./d)', `[a](${blob}/packages/b.md "B") and [c](${blob}/packages/one/d)`, "a and c"],
    ["[a](../../../../b)", "a", "a"],
  ])("%s leads into the repository, or nowhere", (markdown, withAddress, without) => {
    expect(rewriteOutwardLinks(markdown, "packages/one", packed, at)).toBe(withAddress);
    expect(rewriteOutwardLinks(markdown, "packages/one", packed, { ...at, repository: undefined })).toBe(without);
  });

  test.each([
    "[a](LICENSE)",
    "[a](./dist/b.js)",
    "[a](#b)",
    "[a](https://a.example/b)",
    "`[a](../b)`",
    "```md\n[a](../b)\n```\n",
  ])("%j stays", (markdown) => {
    expect(rewriteOutwardLinks(markdown, "packages/one", packed, at)).toBe(markdown);
  });
});

test("checksums tell of a file that is altered, missing or new", () => {
  write("e/one.txt", "1");
  write("e/in/two.txt", "2");
  const folder = join(scratch, "e");
  write("e/SHA256SUMS", renderChecksums(folder));
  expect(() => checkChecksums(folder)).not.toThrow();
  write("e/in/two.txt", "3");
  expect(() => checkChecksums(folder)).toThrow(/says: in\/two\.txt$/);
  write("e/in/two.txt", "2");
  write("e/three.txt", "3");
  expect(() => checkChecksums(folder)).toThrow(/says: three\.txt$/);
  rmSync(join(folder, "three.txt"));
  rmSync(join(folder, "one.txt"));
  expect(() => checkChecksums(folder)).toThrow(/says: one\.txt$/);
});

describe("the clone", () => {
  const repository = join(scratch, "repository");
  const git = (...args: string[]): string => {
    const author = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"];
    return execFileSync("git", [...author, ...args], { cwd: repository, encoding: "utf8" });
  };
  write("repository/package.json", JSON.stringify({ packageManager: "pnpm@1.2.3" }));
  write("repository/gone.txt", "1");
  write("repository/.gitignore", "ignored/\n");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "First");

  test("is of what is committed, and of nothing else unless that is asked for", async () => {
    write("repository/ignored/file.txt", "1");
    {
      using clone = await cloneClean(repository, false);
      expect(clone).toMatchObject({ commit: git("rev-parse", "HEAD").trim(), pnpm: ["--yes", "pnpm@1.2.3"] });
      expect(readdirSync(clone.root).sort()).toEqual([".git", ".gitignore", "gone.txt", "package.json"]);
    }
    write("repository/in/a new folder/file.txt", "new");
    rmSync(join(repository, "gone.txt"));
    await expect(cloneClean(repository, false)).rejects.toThrow(/not as the commit \(2: gone\.txt, in\/a new folder/);
    const clone = await cloneClean(repository, true);
    expect(readdirSync(clone.root).sort()).toEqual([".git", ".gitignore", "in", "package.json"]);
    expect(clone.uncommitted).toEqual(["gone.txt", "in/a new folder/file.txt"]);
    clone[Symbol.dispose]();
    expect(existsSync(clone.root)).toBe(false);
  });

  test("says where its sources are, unless it says so already", () => {
    const stated = { type: "git", url: "git+https://example.com/a.git", directory: "f" };
    write("f/package.json", JSON.stringify({ name: "f", repository: stated }));
    write("g/package.json", JSON.stringify({ name: "g" }));
    const packages = ["f", "g"].map((directory) => ({ directory, manifest: findManifest(join(scratch, directory)) }));
    writeRepository(scratch, packages, "https://example.com/b");
    const repositories = ["f", "g"].map((directory) => findManifest(join(scratch, directory)).repository);
    expect(repositories).toEqual([stated, { type: "git", url: "git+https://example.com/b.git", directory: "g" }]);
  });
});

test.each([
  ["http://127.0.0.1:4873/", true],
  ["http://localhost:4873", true],
  ["http://[::1]:4873/", true],
  ["https://registry.npmjs.org/", false],
  ["http://127.0.0.1.example.com/", false],
  ["http://localhost@example.com/", false],
  ["localhost:4873", false],
  ["", false],
])("%j is a registry on this machine: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test("every package of the workspace that is not private is published, behind those that it needs", () => {
  const packages = listPublishedPackages();
  const names = packages.map(({ manifest }) => manifest.name);
  expect(names).toContain("@cloud-browser/client");
  expect(names).not.toContain("@cloud-browser/console");
  for (const [index, { manifest }] of packages.entries()) {
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(needed.filter((name) => names.indexOf(name) >= index)).toEqual([]);
  }
});

test("changes name published packages only: changesets would refuse the release", () => {
  const published = new Set(listPublishedPackages(repositoryRoot).map(({ manifest }) => manifest.name));
  const folder = join(repositoryRoot, ".changeset");
  const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  const others = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/^"([^"]+)": (?:major|minor|patch)$/gm)]
      .filter(([, name = ""]) => !published.has(name))
      .map(([, name]) => `${file}: ${name}`),
  );
  expect(others).toEqual([]);
});
