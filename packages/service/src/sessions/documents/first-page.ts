import { SpanKind } from "@opentelemetry/api";
import type { Page, Request } from "playwright-core";
import { ServiceError } from "../../service-error.ts";
import { runInSpan } from "../../tracing/spans.ts";
import { type FailedDocuments, makeDocumentError, makeOpeningError } from "./failed-documents.ts";

/** Load timeout of the first page, in milliseconds; a page that is still loading then continues. */
const firstPageMs = 15_000;

/**
 * Opens the first page of a session, and waits until it has loaded.
 *
 * @param failed - Documents of the page's context that could not be had.
 * @throws {ServiceError} `page-failed` when it can't be loaded, with the reason.
 */
export async function openFirstPage(page: Page, url: URL, failed: FailedDocuments): Promise<void> {
  const broken = watchForBreak(page);
  try {
    const loading = { waitUntil: "load", timeout: firstPageMs } as const;
    await runInSpan("page.goto", { kind: SpanKind.CLIENT, attributes: { "server.address": url.hostname } }, () =>
      Promise.race([page.goto(url.href, loading), broken.promise]),
    );
    // The page that has loaded may have led to another one, which could not be had.
    const error = failed.findError(page) ?? (await failed.findEmptyError(page));
    if (error) throw error;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const message = cause instanceof Error ? cause.message : "";
    if (/timeout/i.test(message) && page.url() !== "about:blank") return; // it has begun to load, and continues
    if (/download is starting/i.test(message)) {
      throw makeOpeningError(url.origin, "it is a download, not a page", cause);
    }
    // A redirect may have led elsewhere: the failed document says where.
    const error = failed.findError(page);
    if (error) throw error;
    if (/net::/.test(message)) throw makeDocumentError(url.origin, message, cause);
    const why = /timeout/i.test(message)
      ? `no response within ${firstPageMs / 1000} s`
      : "it was closed, or another page was opened, while it loaded";
    throw makeOpeningError(url.origin, why, cause);
  } finally {
    broken.stop();
  }
}

/** Resolves when the response of the page's document has begun and breaks off: it is shown as far as it came, and never has loaded. */
function watchForBreak(page: Page): { readonly promise: Promise<void>; readonly stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onFailure = (request: Request): void => {
    const isDocument = request.isNavigationRequest() && request.frame() === page.mainFrame();
    const isLeft = request.failure()?.errorText === "net::ERR_ABORTED"; // a download, or another page
    if (isDocument && !isLeft && request.existingResponse() !== null) resolve();
  };
  page.on("requestfailed", onFailure);
  return { promise, stop: () => void page.off("requestfailed", onFailure) };
}
