import { validate as isStatefulSet } from "kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet";
import { validate as isHorizontalPodAutoscaler } from "kubernetes-models/_schemas/IoK8sApiAutoscalingV2HorizontalPodAutoscaler";
import { validate as isService } from "kubernetes-models/_schemas/IoK8sApiCoreV1Service";
import { validate as isPodDisruptionBudget } from "kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget";
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { listRoles } from "../src/http/authentication.ts";
import { parseBucketAddress } from "../src/storage/objects/bucket-address.ts";
import { ServiceMetrics } from "../src/metrics/service-metrics.ts";
import { compose, documents, known, manifest, manifests, nodes, read } from "./deployed.ts";

describe("what is deployed", () => {
  test.each(["Containerfile", "compose.yaml", "kubernetes.yaml"])(
    "%s sets nothing that the service does not know",
    (file) => {
      const named = read(`deploy/${file}`).match(/CLOUD_BROWSER_\w+/gu) ?? [];
      expect(named.length).toBeGreaterThan(1);
      expect(named.filter((name) => !known.has(name))).toEqual([]);
    },
  );

  test("the guide names files that there are, and the secret that the manifests read", () => {
    const guide = read("../../docs/guides/deployment.md");
    for (const file of [
      "Containerfile",
      "compose.yaml",
      "kubernetes.yaml",
      "prometheus.yaml",
      "grafana-dashboard.json",
    ]) {
      expect(guide).toContain(`deploy/${file}`);
      expect(read(`deploy/${file}`)).not.toBe("");
    }
    const [, flags = ""] = /kubectl create secret generic cloud-browser (.*)/u.exec(guide) ?? [];
    const keys = [...flags.matchAll(/--from-literal=([\w-]+)=/gu)].map(([, key]) => key);
    const reference = /secretKeyRef:\s+name: cloud-browser\s+key: (\S+)(\s+optional: true)?/gu;
    const references = [...read("deploy/kubernetes.yaml").matchAll(reference)];
    const required = references.filter(([, , optional]) => optional === undefined).map(([, key]) => key);
    expect(required.filter((key) => !keys.includes(key))).toEqual([]);
    expect(keys.filter((key) => !references.some(([, name]) => name === key))).toEqual([]);
  });
});

describe("the image", () => {
  const text = read("deploy/Containerfile");
  const instructions = text
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => /^[A-Z]/u.test(line));

  test("has a supported Node.js, and runs it as an unprivileged user", () => {
    const { engines }: { engines: { node: string } } = JSON.parse(read("package.json"));
    expect(engines.node).toMatch(/^>=24\./u);
    expect(instructions[0]).toBe("FROM docker.io/library/node:24-bookworm-slim");
    expect(instructions).toContain("USER node");
    const last = instructions.slice(-2);
    expect(last).toEqual(['ENTRYPOINT ["cloud-browser"]', 'CMD ["serve"]']);
  });

  /** The package that has the command which the image runs. */
  const commandPackage: { name: string; bin: object } = JSON.parse(read("../cli/package.json"));

  test("installs the package of its command, the service, and what nodes of a cluster need", () => {
    const { name, peerDependencies }: { name: string; peerDependencies: object } = JSON.parse(read("package.json"));
    const [, installed = ""] = /npm install --global --omit=dev (.*?) \\/u.exec(text) ?? [];
    const [own, ...others] = [name, commandPackage.name].map((one) => `${one}@"$VERSION"`).toReversed();
    expect(installed.split(" ")).toEqual([own, ...others, ...Object.keys(peerDependencies).sort().toReversed()]);
    expect(Object.keys(commandPackage.bin)).toContain("cloud-browser");
    expect(text).toContain("ARG VERSION=latest");
    expect(text).toContain(`npm config set --global ${name.split("/")[0]}:registry="$REGISTRY"`);
  });
});

describe("compose.yaml", () => {
  test("has nodes that know themselves, and share a database and a key", () => {
    expect(nodes).toHaveLength(3);
    for (const [name, { environment, ports, volumes, depends_on, build }] of nodes) {
      expect(environment).toMatchObject({
        CLOUD_BROWSER_NODE_NAME: name,
        CLOUD_BROWSER_NODE_URL: `http://${name}:8090`,
        CLOUD_BROWSER_CLUSTER: expect.stringMatching(/^postgres:\/\/.*@postgres\//u),
      });
      const [published] = ports;
      expect(published).toBe(`${environment["CLOUD_BROWSER_PUBLIC_URL"]?.replace("http://", "")}:8090`);
      expect(volumes).toEqual([`${name}:/data`]);
      expect(build).toEqual({ context: ".", dockerfile: "Containerfile" });
      expect(Object.keys(depends_on).filter((other) => !(other in compose.services))).toEqual([]);
      expect(compose.volumes).toHaveProperty([name]);
    }
    expect(new Set(nodes.flatMap(([, { ports }]) => ports)).size).toBe(3);
  });

  test("names a version of each image that is not built here", () => {
    const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(/^docker\.io\/[\w/-]+:\d+(\.\d+)*$/u);
  });

  test("gives a node that goes the time to drain, and to end its sessions", () => {
    for (const [, { environment, stop_grace_period: grace }] of nodes) {
      const drain = Number(environment["CLOUD_BROWSER_DRAIN_S"]);
      expect(drain).toBeGreaterThan(0);
      expect(Number.parseInt(grace, 10) - drain).toBeGreaterThanOrEqual(60);
    }
  });

  test("has a store, whose bucket is made before nodes use it, and whose replays this machine can read", () => {
    const { store, bucket } = compose.services;
    // What it waits for is the store itself: compose takes the first exit for the last.
    expect(bucket).toMatchObject({ command: ["bucket", "prepare", "--wait-s=120"], depends_on: ["store"] });
    expect(bucket).not.toHaveProperty("restart");
    expect(store).toMatchObject({ command: ["mini", "-dir=/data"], volumes: ["store:/data"] });
    for (const [, { environment, depends_on }] of nodes) {
      expect(depends_on).toMatchObject({ bucket: { condition: "service_completed_successfully" } });
      const { endpoint, publicEndpoint } = parseBucketAddress(environment["CLOUD_BROWSER_BUCKET"] ?? "");
      expect(store?.ports).toEqual([`${publicEndpoint?.replace("http://", "")}:${new URL(endpoint ?? "").port}`]);
      expect(bucket?.environment["CLOUD_BROWSER_BUCKET"]).toBe(environment["CLOUD_BROWSER_BUCKET"]);
      for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) {
        expect([bucket, store].map((one) => one?.environment[name])).toEqual([environment[name], environment[name]]);
      }
    }
  });

  test("has no secret in it", () => {
    const secrets = [...read("deploy/compose.yaml").matchAll(/^ *\w*(?:_KEY|PASSWORD|SECRET_ACCESS_KEY):(.*)$/gmu)].map(
      ([, value = ""]) => value.trim(),
    );
    expect(secrets.length).toBeGreaterThan(5);
    // Without a value it is that of the environment of compose.
    for (const secret of secrets) expect(secret).toMatch(/^(?:\$\{\w+:\?.*\})?$/u);
  });
});

/** Secrets that come by the environment alone. */
const secrets = ["API_KEY", "CLUSTER", "BUCKET", "MODEL_KEY", "PROFILE_KEY"].map((name) => `CLOUD_BROWSER_${name}`);

test("every secret of the service reaches the nodes of compose.yaml and of Kubernetes", () => {
  for (const [, { environment }] of nodes) expect(secrets.filter((name) => !(name in environment))).toEqual([]);
  const [container] = manifest("StatefulSet", StatefulSet).spec?.template.spec?.containers ?? [];
  const variables = container?.env?.filter(({ valueFrom }) => valueFrom?.secretKeyRef).map(({ name }) => name);
  expect(secrets.filter((name) => !variables?.includes(name))).toEqual([]);
});

test("profiles are encrypted with one key on all nodes, and none is set where the environment has none", () => {
  const keys = nodes.map(([, { environment }]) => environment["CLOUD_BROWSER_PROFILE_KEY"]);
  expect(keys).toEqual([null, null, null]);
});

/** Watches which fields are read: one that no schema knows is read by none. */
function watched<Value>(value: Value, at: string, unread: Set<string>): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const name of Object.keys(value)) unread.add(`${at}.${name}`);
  const fields = new Map<string, unknown>();
  return new Proxy(value, {
    get: (target, name) => {
      const field: unknown = Reflect.get(target, name);
      if (typeof name !== "string" || !Object.hasOwn(target, name)) return field;
      unread.delete(`${at}.${name}`);
      if (!fields.has(name)) fields.set(name, watched(field, `${at}.${name}`, unread));
      return fields.get(name);
    },
  });
}

describe("kubernetes.yaml", () => {
  test("is as the schemas of Kubernetes say", () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const schemas: Readonly<Record<string, (data: unknown) => boolean>> = {
      Service: isService,
      StatefulSet: isStatefulSet,
      PodDisruptionBudget: isPodDisruptionBudget,
      HorizontalPodAutoscaler: isHorizontalPodAutoscaler,
    };
    expect(new Set(manifests.map(({ kind }) => kind))).toEqual(new Set(Object.keys(schemas)));
    for (const one of manifests) {
      const unread = new Set<string>();
      const isFine = schemas[one.kind]?.(watched(one, one.kind, unread));
      expect([one.kind, isFine, [...unread]]).toEqual([one.kind, true, []]);
    }
    expect(isService({ kind: "Service", apiVersion: "v1", spec: { ports: "8090" } })).toBe(false);
  });

  test("has services, a budget and a scaler of its nodes", () => {
    const { metadata, spec } = manifest("StatefulSet", StatefulSet);
    const labels = spec?.template.metadata?.labels;
    expect(spec?.selector.matchLabels).toEqual(labels);
    expect(manifest("PodDisruptionBudget", PodDisruptionBudget).spec?.selector?.matchLabels).toEqual(labels);
    expect(manifest("HorizontalPodAutoscaler", HorizontalPodAutoscaler).spec?.scaleTargetRef).toEqual({
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      name: metadata?.name,
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- judged above
    const services = manifests.filter(({ kind }) => kind === "Service").map((one) => new Service(one as never));
    for (const service of services) expect(service.spec?.selector).toEqual(labels);
    expect(services.map((service) => service.metadata?.name)).toContain(spec?.serviceName);
    const [container] = spec?.template.spec?.containers ?? [];
    const url = container?.env?.find(({ name }) => name === "CLOUD_BROWSER_NODE_URL")?.value;
    expect(url).toBe(`http://$(POD_NAME).${spec?.serviceName}:8090`);
    expect(container?.ports).toEqual([{ name: "http", containerPort: 8090 }]);
  });

  test("gives a node that goes the time to drain, and to end its sessions", () => {
    const pod = manifest("StatefulSet", StatefulSet).spec?.template.spec;
    const [container] = pod?.containers ?? [];
    const pause = Number(container?.lifecycle?.preStop?.exec?.command?.[1]);
    const drain = Number(container?.env?.find(({ name }) => name === "CLOUD_BROWSER_DRAIN_S")?.value);
    expect(drain).toBeGreaterThan(0);
    expect((pod?.terminationGracePeriodSeconds ?? 0) - pause - drain).toBeGreaterThanOrEqual(60);
  });

  test("scales on a metric that there is, below the limit of sessions", async () => {
    const metrics = new ServiceMetrics();
    const none = { open: [] };
    const sessions = { ...none, queue: { length: 0, oldestMs: 0 } };
    const recordings = { bytes: 0, lagMs: 0, shippingLagMs: 0, unshippedBytes: 0 };
    const build = { version: "1", browser: "a Chromium" };
    metrics.observe({ sessions, runs: none, runLimit: 10, recordings, sessionLimit: 20, dataFolder: ".", build });
    const text = await metrics.writeText();
    const [{ pods } = {}] = manifest("HorizontalPodAutoscaler", HorizontalPodAutoscaler).spec?.metrics ?? [];
    expect(text).toContain(`# TYPE ${pods?.metric.name} gauge`);
    const [container] = manifest("StatefulSet", StatefulSet).spec?.template.spec?.containers ?? [];
    const limit = container?.env?.find(({ name }) => name === "CLOUD_BROWSER_MAX_SESSIONS")?.value;
    expect(Number(pods?.target.averageValue)).toBe(Number(limit) * 0.7);
  });
});

test("Prometheus reads the nodes of compose.yaml, by a path that a key of the role metrics is good for", () => {
  interface Job {
    readonly metrics_path: string;
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }
  const { scrape_configs: jobs }: { scrape_configs: Job[] } = parse(read("deploy/prometheus.yaml"));
  expect(jobs).toHaveLength(1);
  expect(listRoles("GET", jobs[0]?.metrics_path ?? "")).toEqual(["metrics"]);
  expect(jobs[0]?.static_configs[0]?.targets).toEqual(nodes.map(([name]) => `${name}:8090`));
});

test("no probe of Kubernetes asks for what all nodes may lack at once, as the bucket", () => {
  const { spec } = manifest("StatefulSet", StatefulSet);
  const [{ readinessProbe, livenessProbe } = {}] = spec?.template.spec?.containers ?? [];
  expect([readinessProbe?.httpGet?.path, livenessProbe?.httpGet?.path]).toEqual(["/readyz", "/livez"]);
});
