import type { BrowserError } from "@cloud-browser/browsers";
import { ServiceError } from "../service-error.ts";

/** The browser of a session failed before it could show a page: another one may. */
export class LostBrowser extends ServiceError {
  /** Resolves when what there was of the session has ended. */
  readonly ended: Promise<void>;

  constructor(cause: BrowserError | ServiceError, ended: Promise<void>) {
    super(cause.code, cause.message, { cause });
    this.ended = ended;
  }
}
