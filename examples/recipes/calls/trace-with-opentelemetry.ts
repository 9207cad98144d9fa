// Makes a span of a call, which the service continues: node trace-with-opentelemetry.ts <session>
import { createCloudBrowser } from "@cloud-browser/client";
import { SpanStatusCode, trace } from "@opentelemetry/api";
import { ConsoleSpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

// Your application has a provider already, with an exporter to your collector.
const spanProcessors = [new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })];
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));

// #region call
const client = createCloudBrowser();
const span = trace.getTracer("harbour").startSpan("page_scrape");
const { traceId, spanId, traceFlags } = span.spanContext();
// A service that is started with --traces continues the trace that this header names.
const headers = { traceparent: `00-${traceId}-${spanId}-0${traceFlags}` };
try {
  const { data, response } = await client.scrape(process.argv[2] ?? "", {}, { headers }).withResponse();
  span.setAttributes({ "http.response.status_code": response.status, "page.characters": data.markdown.length });
} catch (error) {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : "" });
  throw error;
} finally {
  span.end();
}
// #endregion call
