import { randomUUID } from "node:crypto";
import { context, propagation, trace } from "@opentelemetry/api";
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import pTimeout from "p-timeout";
import type { Logger } from "pino";
import { ServiceError } from "../service-error.ts";
import { serviceVersion } from "../service-version.ts";

/** Path of an OTLP endpoint that is given as an origin. */
const tracesPath = "/v1/traces";

/** Time between two exports unless it is set, in milliseconds. */
const exportEveryMs = 5_000;

/** Longest time that the last spans may take to be sent, in milliseconds. */
const flushMs = 5_000;

/**
 * Sends the spans of this process to an OpenTelemetry collector (OTLP over HTTP, JSON). The standard variables apply:
 * `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_BSP_SCHEDULE_DELAY`, the time between two exports in
 * milliseconds (default: 5,000), and `OTEL_TRACES_SAMPLER_ARG`, the share of traces that is kept, from 0 to 1 (default: 1; a client that
 * sends `traceparent` decides itself). What can't be sent is dropped; nothing waits for it.
 *
 * @param endpoint - URL of the collector; without a path, `/v1/traces` is meant.
 * @param node - Name of the node, the `service.instance.id`. Default: a random UUID.
 * @returns A function that sends the rest and stops, within 5 s.
 * @throws {ServiceError} `usage` when the URL is malformed.
 */
export async function exportTraces(
  endpoint: string,
  node: string | undefined,
  log: Logger,
): Promise<() => Promise<void>> {
  const url = URL.parse(endpoint);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ServiceError("usage", "malformed URL of a collector of traces: give one such as http://127.0.0.1:4318");
  if (url.pathname === "/") url.pathname = tracesPath;
  const [sdk, { OTLPTraceExporter }, resources, { AsyncLocalStorageContextManager }, core] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/context-async-hooks"),
    import("@opentelemetry/core"),
  ]);
  const { resourceFromAttributes, detectResources, resourceAttributesEnvDetector, serviceNameEnvDetector } = resources;
  const resource = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: "cloud-browser",
    [ATTR_SERVICE_VERSION]: serviceVersion,
    [ATTR_SERVICE_INSTANCE_ID]: node ?? randomUUID(),
  });
  const detected = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  const provider = new sdk.TracerProvider({
    resource: resource.merge(detected),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(readSampledShare()) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: url.href }),
        scheduledDelayMillis: core.getNumberFromEnv("OTEL_BSP_SCHEDULE_DELAY") ?? exportEveryMs,
      }),
    ],
  });
  core.setGlobalErrorHandler((error) => log.warn({ reason: describeReason(error) }, "spans could not be exported"));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return () => pTimeout(provider.shutdown(), { milliseconds: flushMs, fallback: () => undefined });
}

/**
 * The share of traces without a sampled parent that is kept.
 *
 * @throws {ServiceError} `usage`.
 */
function readSampledShare(): number {
  const text = process.env["OTEL_TRACES_SAMPLER_ARG"]?.trim() ?? "1";
  const share = Number(text);
  if (text !== "" && share >= 0 && share <= 1) return share;
  throw new ServiceError("usage", `malformed OTEL_TRACES_SAMPLER_ARG ${text}: give a number from 0 to 1, or unset it`);
}

/** Returns the reason of an error, without the collector's address and the exported data. */
function describeReason(error: unknown): string {
  const { code, name }: { code?: unknown; name?: unknown } = Object(error);
  return String(code ?? name);
}
