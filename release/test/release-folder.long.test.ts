import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { z } from "zod";
import { checkBillOfMaterials } from "../src/bill-of-materials.ts";
import { checkChecksums, readRelease, releaseFiles } from "../src/release-record.ts";
import { listPublishedPackages, findManifest } from "../src/workspace.ts";

const folder = inject("releaseFolder");
const record = readRelease(folder);
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

const billForm = z.looseObject({
  components: z.array(
    z.looseObject({
      name: z.string(),
      group: z.string().optional(),
      version: z.string(),
      components: z.array(z.looseObject({ name: z.string() })).optional(),
    }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const bill = billForm.parse(JSON.parse(read(releaseFiles.bill)));

test("the folder has every package of the workspace that is published, and its files are as their checksums say", () => {
  expect(record.packages.map(({ name }) => name)).toEqual(listPublishedPackages().map(({ manifest }) => manifest.name));
  expect(record.packages.filter(({ file }) => !existsSync(join(folder, file)))).toEqual([]);
  checkChecksums(folder);
});

test("the release notes tell what is new in each package", () => {
  const notes = read(releaseFiles.notes);
  for (const { name, version } of record.packages) expect(notes).toContain(`${name} ${version}`);
  expect(notes).toMatch(/^- [0-9a-f]{7}: \w/m);
});

test("the bill of materials is valid CycloneDX, and an altered one is not", async () => {
  const text = read(releaseFiles.bill);
  await checkBillOfMaterials(text);
  await expect(checkBillOfMaterials(text.replace('"library"', '"librarian"'))).rejects.toThrow(/not valid CycloneDX/);
});

test("the bill of materials has each package with all that it depends on, and what is bundled into it", () => {
  for (const { directory, manifest } of listPublishedPackages()) {
    const packed = findManifest(inject("packed")[manifest.name]?.folder ?? directory);
    const ref = `pkg:npm/${manifest.name.replace("@", "%40")}@${packed.version}`;
    const references = bill.dependencies.find((one) => one.ref === ref)?.dependsOn ?? [];
    const dependencies = Object.keys({ ...packed.dependencies, ...packed.optionalDependencies });
    const missing = dependencies.filter(
      (name) => !references.some((one) => one.includes(`/${name.replace("@", "%40")}@`)),
    );
    expect([ref, missing]).toEqual([ref, []]);
  }
  const service = bill.components.find(({ name, group }) => group === "@cloud-browser" && name === "service");
  expect(service?.components?.map(({ name }) => name)).toEqual(expect.arrayContaining(["preact", "dompurify"]));
});

test("the list of licences has every part", () => {
  const licences = read(releaseFiles.licences);
  for (const { name, group, version } of bill.components) {
    expect(licences).toContain(`| ${group === undefined ? name : `${group}/${name}`} | ${version} |`);
  }
});
