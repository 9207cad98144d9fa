import { SpanKind } from "@opentelemetry/api";
import type { Page } from "playwright-core";
import { ServiceError } from "../service-error.ts";
import { inSpan } from "../tracing/spans.ts";

/** Load timeout of the first page, in milliseconds; a page that is still loading then continues. */
const firstPageMs = 15_000;

/**
 * Opens the first page of a session, and waits until it has loaded.
 *
 * @throws {ServiceError} `page-failed` when it can't be loaded.
 */
export async function openFirstPage(page: Page, url: URL): Promise<void> {
  try {
    const loading = { waitUntil: "load", timeout: firstPageMs } as const;
    await inSpan("page.goto", { kind: SpanKind.CLIENT, attributes: { "server.address": url.hostname } }, () =>
      page.goto(url.href, loading),
    );
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    if (/timeout/i.test(message) && page.url() !== "about:blank") return; // it has begun to load, and continues
    const why = /download is starting/i.test(message)
      ? "it is a download, and downloads are disabled"
      : (/net::(\w+)/.exec(message)?.[1] ?? "timed out");
    throw new ServiceError("page-failed", `${url.origin} could not be opened (${why})`, { cause });
  }
}
