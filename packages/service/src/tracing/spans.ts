import { context, propagation, trace, SpanKind, SpanStatusCode, type Attributes, type Span } from "@opentelemetry/api";
import { ATTR_ERROR_TYPE } from "@opentelemetry/semantic-conventions";
import { findServiceError } from "../service-error.ts";
import { serviceVersion } from "../service-version.ts";

/** Makes no spans until a program registers a provider, as `cloud-browser serve --traces` does. */
const tracer = trace.getTracer("@cloud-browser/service", serviceVersion);

/** How a span begins. */
export interface SpanStart {
  /** Default: internal. */
  readonly kind?: SpanKind;
  /** No key, cookie value, query or page content may be in them. */
  readonly attributes?: Attributes;
  /** Headers whose `traceparent` it continues. Default: it continues the active span. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

/**
 * Runs work within a new active span, which ends with it. What the work throws is passed on; the span has its code
 * (`error.type`), not its message.
 */
export function runInSpan<Result>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, headers }: SpanStart,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = headers === undefined ? context.active() : propagation.extract(context.active(), headers);
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(span, findServiceError(error)?.code ?? (error instanceof Error ? error.name : "unknown"));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Begins a span below the active one, without making it active; the caller ends it. */
export function startSpan(name: string): Span {
  return tracer.startSpan(name);
}

/** Marks a span as failed. */
export function fail(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute(ATTR_ERROR_TYPE, type);
}

/** Headers that let another process continue the active span: `traceparent` and `tracestate`; none while nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** Ids of the active span as logs have them; none while nothing is traced. */
export function traceIds(): { readonly trace_id?: string; readonly span_id?: string } {
  const active = trace.getActiveSpan()?.spanContext();
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
}
