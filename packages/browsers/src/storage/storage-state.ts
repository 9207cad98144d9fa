/** A cookie of a browser context. In the form of Playwright's storage state, but for `sameSite`, which is absent where the site states none. */
export interface StateCookie {
  /** Its name. */
  readonly name: string;
  /** Its value. A secret. */
  readonly value: string;
  /** Host that gets it; with a dot in front its subdomains, too. */
  readonly domain: string;
  /** Path under which it is sent. */
  readonly path: string;
  /** Expiry, in seconds since 1970; -1 for a session cookie. */
  readonly expires: number;
  /** True when scripts can't read it. */
  readonly httpOnly: boolean;
  /** True when only secure connections carry it. */
  readonly secure: boolean;
  /** Attribute `SameSite`; absent where the site sets none. */
  readonly sameSite?: "Strict" | "Lax" | "None";
  /** Site of the top-level page that it is partitioned by (CHIPS); absent for one that is not. */
  readonly partitionKey?: string;
  /** True when a frame of another site was between; of a partitioned cookie only. */
  readonly _crHasCrossSiteAncestor?: boolean;
}

/** A database of IndexedDB, in the form of Playwright's storage state: values beyond JSON are encoded as `{ d: … }` for a date, and so on. */
export interface StateDatabase {
  /** Its name. */
  readonly name: string;
  /** Its version, from 1. */
  readonly version: number;
  /** Its object stores, with their records and indexes. */
  readonly stores: readonly {
    readonly name: string;
    readonly autoIncrement: boolean;
    readonly keyPath?: string;
    readonly keyPathArray?: readonly string[];
    readonly records: readonly Readonly<Record<string, unknown>>[];
    readonly indexes: readonly {
      readonly name: string;
      readonly keyPath?: string;
      readonly keyPathArray?: readonly string[];
      readonly multiEntry: boolean;
      readonly unique: boolean;
    }[];
  }[];
}

/** Storage of one origin. */
export interface StateOrigin {
  /** The origin, such as `https://shop.example`. */
  readonly origin: string;
  /** Its local storage. Values are secrets. */
  readonly localStorage: readonly { readonly name: string; readonly value: string }[];
  /** Its databases. Default: none. */
  readonly indexedDB?: readonly StateDatabase[];
}

/** Cookies, local storage and IndexedDB of a browser context. All values are secrets. */
export interface StorageState {
  /** Its cookies. */
  readonly cookies: readonly StateCookie[];
  /** Storage of its origins, as first-party pages have it: that of frames on other sites is partitioned, and not in here. */
  readonly origins: readonly StateOrigin[];
}

/** Part of an origin that could not be read, or can't be kept. Contains no value. */
export interface LeftOut {
  /** The origin. */
  readonly origin: string;
  /** Name of the database; absent for the whole origin. */
  readonly database?: string;
  /** Name of the object store; absent for the whole database. */
  readonly store?: string;
  /** Reason, as a phrase. */
  readonly why: string;
  /** Number of records; absent for all. */
  readonly records?: number;
}
