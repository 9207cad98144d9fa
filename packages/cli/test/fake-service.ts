import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import control from "@cloud-browser/spec/control.openapi.json" with { type: "json" };

/** Answers a request to a path. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that listens. */
export interface FakeService extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
  /** Requests until now: method and path, with its query. */
  readonly requests: readonly string[];
}

/** Starts a server on loopback that answers by method and path, such as `GET /control/sessions`; anything else is a 404. */
export async function startFake(answers: Readonly<Record<string, Answer>>): Promise<FakeService> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = "" } = request;
    requests.push(`${method} ${url}`);
    const answer = answers[`${method} ${url.replace(/\?.*/, "")}`];
    if (answer) answer(request, response);
    else response.writeHead(404, { "content-type": "text/plain" }).end("nothing here");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

/** Answers with JSON. */
export function answerJson(body: unknown, status = 200): Answer {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

/** Answers with text of a media type. */
export function answerText(body: string, type = "text/plain"): Answer {
  return (_, response) => void response.writeHead(200, { "content-type": type }).end(body);
}

/** Answers with the events of a run: each with its number, the last one with `end`. */
export function answerEvents(all: readonly object[], headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    const blocks = all.map(
      (event, at) => `id: ${at === all.length - 1 ? "end" : at + 1}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    response.end(blocks.join(""));
  };
}

/** What can be named in a schema of the control interface. */
type Schema = Readonly<Record<string, unknown>>;

/** Makes a value that a schema of the control interface describes. */
export function makeSample(name: keyof typeof control.components.schemas): object {
  return Object(fillSchema(control.components.schemas[name]));
}

function fillSchema(node: unknown): unknown {
  const schema: Schema = Object(node);
  const { $ref: reference, allOf, anyOf, type, properties, required, format } = schema;
  if (typeof reference === "string") {
    const schemas: Readonly<Record<string, unknown>> = control.components.schemas;
    return fillSchema(schemas[reference.replace("#/components/schemas/", "")]);
  }
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map(fillSchema));
  if (Array.isArray(anyOf)) return fillSchema(anyOf[0]);
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  if ("const" in schema) return schema["const"];
  switch (Array.isArray(type) ? type[0] : type) {
    case "object": {
      const names = Array.isArray(required) ? required.map(String) : [];
      const fields: Readonly<Record<string, unknown>> = Object(properties);
      return Object.fromEntries(names.map((each) => [each, fillSchema(fields[each])]));
    }
    case "array":
      return "items" in schema ? [fillSchema(schema["items"])] : [];
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 0;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      if (format === "uuid") return "0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b";
      if (format === "date-time") return "2030-01-31T12:00:00.000Z";
      return format === "uri" ? "https://a.example/" : "text";
  }
}
