import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { known, manifest, manifests, readOverlay, overlays, read } from "./deployed.ts";

describe("the overlays of Kustomize", () => {
  interface Kustomization {
    readonly resources: readonly string[];
    readonly images?: readonly { readonly name: string }[];
    readonly replicas?: readonly { readonly name: string }[];
    readonly patches: readonly { readonly patch: string }[];
    readonly configMapGenerator?: readonly { readonly name: string; readonly literals: readonly string[] }[];
  }
  interface Patch {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly spec?: { readonly template: { readonly spec: { readonly containers: readonly PatchedContainer[] } } };
  }
  interface PatchedContainer {
    readonly name: string;
    readonly env: readonly { readonly name: string }[];
  }
  const stateful = manifest("StatefulSet", StatefulSet);
  const [container] = stateful.spec?.template.spec?.containers ?? [];

  test("the base is what kubectl applies without Kustomize", () => {
    expect(parse(read("deploy/kustomization.yaml"))).toMatchObject({ resources: ["kubernetes.yaml"] });
  });

  test.each(overlays)("%s changes nothing that the base does not have", (name) => {
    const overlay: Kustomization = parse(readOverlay(name));
    expect(overlay.resources).toEqual(["../../deploy"]);
    for (const image of overlay.images ?? []) expect(image.name).toBe(container?.image);
    for (const replica of overlay.replicas ?? []) expect(replica.name).toBe(stateful.metadata?.name);
    for (const { patch } of overlay.patches) {
      const { kind, metadata, spec }: Patch = parse(patch);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- judged by the schemas above
      const based = manifests as unknown as readonly Patch[];
      expect(based.map((one) => [one.kind, one.metadata.name])).toContainEqual([kind, metadata.name]);
      for (const patched of spec?.template.spec.containers ?? []) {
        expect(patched.name).toBe(container?.name);
        const names = container?.env?.map((one) => one.name) ?? [];
        expect(patched.env.filter((one) => !names.includes(one.name))).toEqual([]);
      }
    }
    for (const generated of overlay.configMapGenerator ?? []) {
      expect(container?.envFrom?.map(({ configMapRef }) => configMapRef?.name)).toContain(generated.name);
      const set = generated.literals.map((literal) => literal.split("=")[0] ?? "");
      expect(set.filter((variable) => !known.has(variable))).toEqual([]);
    }
  });

  test("one node has no database and no name among others, and still its key", () => {
    const removed = [...readOverlay("one-node").matchAll(/name: (CLOUD_BROWSER_\w+)\s+\$patch: delete/gu)];
    const names = new Set(removed.map(([, name]) => name?.replace("CLOUD_BROWSER_", "")));
    expect(names).toEqual(new Set(["BUCKET", "CLUSTER", "NODE_NAME", "NODE_URL"]));
  });
});
