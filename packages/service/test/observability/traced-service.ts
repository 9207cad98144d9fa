/** A service that sends its spans to a collector, and a page for its sessions. */
import { Place, type Served, key } from "../command-line.ts";
import { serveHttp, type HttpServer } from "../http-server.ts";
import { Collector, type ReceivedSpan } from "./collector.ts";

/** Trace of a client. */
export const trace = "0af7651916cd43dd8448eb211c80319c";

/** Span of the client that its requests belong to. */
export const parent = "b7ad6b7169203331";

/** Headers of the client's requests. */
export const headers = { authorization: `Bearer ${key}`, traceparent: `00-${trace}-${parent}-01` };

/** The service, with what receives its spans. */
export interface TracedService extends AsyncDisposable {
  readonly collector: Collector;
  readonly served: Served;
  readonly page: HttpServer;
  /** Returns the spans of a trace that were received so far. */
  readonly listSpans: (id: string) => readonly ReceivedSpan[];
}

/** Starts it. */
export async function startTracedService(): Promise<TracedService> {
  const [collector, page] = await Promise.all([
    Collector.start(),
    serveHttp((_, response) => {
      response.setHeader("content-type", "text/html").end("<title>Traced</title><p>A page.</p>");
    }),
  ]);
  const place = new Place();
  const served = await place.serving(["--traces", collector.url], {
    OTEL_SERVICE_NAME: "browsers of team a",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
  return {
    collector,
    served,
    page,
    listSpans: (id) => collector.spans.filter(({ traceId }) => traceId === id),
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]();
      await collector[Symbol.asyncDispose]();
      await page[Symbol.asyncDispose]();
    },
  };
}
