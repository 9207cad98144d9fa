import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { serveHttp, type HttpServer } from "../http-server.ts";

/** A span as the collector received it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  /** Status code: 2 is an error. */
  readonly status?: { readonly code?: number };
  readonly attributes: Readonly<Record<string, string>>;
  /** Attributes of the process that sent it. */
  readonly resource: Readonly<Record<string, string>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, "attributes" | "resource"> & {
        readonly attributes?: readonly Attribute[];
      })[];
    }[];
  }[];
}

/** An OpenTelemetry collector that keeps what it receives (OTLP over HTTP, JSON). */
export class Collector implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** The bodies that it received, as they were. */
  readonly bodies: string[] = [];
  /** Paths that were asked for. */
  readonly paths: string[] = [];
  readonly #server: HttpServer;

  private constructor(server: HttpServer) {
    this.#server = server;
  }

  static async start(): Promise<Collector> {
    const server = await serveHttp((message, response) => {
      void collector.#receive(message).then(() => response.end("{}"));
    });
    const collector = new Collector(server);
    return collector;
  }

  get url(): string {
    return this.#server.url;
  }

  async #receive(message: IncomingMessage): Promise<void> {
    const body = await text(message);
    this.bodies.push(body);
    this.paths.push(message.url ?? "");
    const { resourceSpans }: Export = JSON.parse(body);
    for (const { resource, scopeSpans } of resourceSpans) {
      const spans = scopeSpans.flatMap((scope) => scope.spans);
      const from = record(resource.attributes);
      for (const span of spans) this.spans.push({ ...span, attributes: record(span.attributes), resource: from });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

function record(attributes: readonly Attribute[] = []): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
