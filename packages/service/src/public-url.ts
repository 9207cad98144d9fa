import { AsyncLocalStorage } from "node:async_hooks";

/** Address of the service as its clients see it, without a slash at its end. A request that another node forwards brings that of its client. */
export class PublicUrl {
  /** Address of this process. */
  readonly own: string;
  readonly #ofRequests = new AsyncLocalStorage<string>();

  /** @param own - Address of this process. */
  constructor(own: string) {
    this.own = own;
  }

  /** Address that the client of the current request uses; outside of a forwarded request this process's own. */
  get current(): string {
    return this.#ofRequests.getStore() ?? this.own;
  }

  /** Handles a request whose client uses another address. */
  runWith<Result>(url: string, handle: () => Result): Result {
    return this.#ofRequests.run(url, handle);
  }
}
