import type { IncomingMessage } from "node:http";
import { SpanKind, type Attributes } from "@opentelemetry/api";
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from "@opentelemetry/semantic-conventions";
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { requestContext } from "../request-context.ts";
import { fail, runInSpan } from "./spans.ts";

/** Traces each request from its headers to those of its answer. The span names the route; no path or query is in it: they hold tokens. */
export const traceRequests: MiddlewareHandler = (c, next) => {
  const { method } = c.req;
  const attributes = { [ATTR_HTTP_REQUEST_METHOD]: method };
  return runInSpan(method, { kind: SpanKind.SERVER, attributes, headers: c.req.header() }, async (span) => {
    await next();
    const route = routePath(c, -1);
    const { status } = c.res;
    if (route !== "*" && route !== "/*") {
      span.updateName(`${method} ${route}`);
      span.setAttribute(ATTR_HTTP_ROUTE, route);
    }
    span.setAttributes({ [ATTR_HTTP_RESPONSE_STATUS_CODE]: status, ...listIds() });
    if (status >= 500) fail(span, String(status));
  });
};

/**
 * Traces the upgrade to a WebSocket: until it is accepted, forwarded or refused.
 *
 * @param route - Path with the names of its parameters; undefined where there is no WebSocket.
 */
export function traceUpgrade<Result>(
  message: IncomingMessage,
  route: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const attributes = { [ATTR_HTTP_REQUEST_METHOD]: "GET", ...(route !== undefined && { [ATTR_HTTP_ROUTE]: route }) };
  return runInSpan(
    route === undefined ? "GET" : `GET ${route}`,
    { kind: SpanKind.SERVER, attributes, headers: message.headers },
    work,
  );
}

/** The ids that log lines have, too. */
function listIds(): Attributes {
  const { request, session } = requestContext();
  return {
    ...(request !== undefined && { "cloud_browser.request_id": request }),
    ...(session !== undefined && { "cloud_browser.session_id": session }),
  };
}
