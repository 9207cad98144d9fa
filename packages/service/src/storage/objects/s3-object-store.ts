import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { answered } from "@cloud-browser/recorder";
import type { BucketAddress } from "./bucket-address.ts";
import { checkObjectKey } from "./object-key.ts";
import { AnswerLimit, requireAnswer } from "./answer-limit.ts";
import { checksums, makeEndpointOptions, loadSdk, convertStoreErrors, quiet, findStoreStatus } from "./s3-client.ts";
import { UrlPresigner, type S3Sdk } from "./bucket-presigner.ts";
import type { ObjectFacts, ObjectRange, ObjectStore, StoredObject } from "./object-store.ts";

/** Limits of a request to the store. */
export interface S3Limits {
  /** Longest wait for a connection, in milliseconds. Default: 3,000. */
  readonly connectMs?: number;
  /** Idle timeout of a response, in milliseconds. Default: 15,000. */
  readonly answerMs?: number;
  /** How often a request is tried. Default: 3. */
  readonly attempts?: number;
  /** Longest time until an answer is complete, with all attempts and without the time that large objects take, in milliseconds. Default: 60,000. */
  readonly totalMs?: number;
}

/** Longest life of a presigned URL, in seconds: what the signature allows. */
const maxSeconds = 7 * 24 * 3_600;

/** Most that is deleted by one request. */
const most = 1_000;

/** Objects in a bucket of S3, or of a store that speaks as it does. */
export class S3ObjectStore implements ObjectStore {
  readonly #sdk: S3Sdk;
  readonly #client: S3Client;
  /** Signs URLs, and sends nothing. */
  readonly #presigner: S3Client;
  readonly #address: BucketAddress;
  readonly #totalMs: number;

  private constructor(
    sdk: S3Sdk,
    clients: { readonly asking: S3Client; readonly presigning: S3Client },
    address: BucketAddress,
    totalMs: number,
  ) {
    this.#sdk = sdk;
    this.#client = clients.asking;
    this.#presigner = clients.presigning;
    this.#address = address;
    this.#totalMs = totalMs;
  }

  /**
   * Makes a client; asks nothing yet.
   *
   * @throws {ServiceError} `usage` when the packages of the SDK are not installed.
   */
  static async open(address: BucketAddress, limits: S3Limits = {}): Promise<S3ObjectStore> {
    const sdk = await loadSdk();
    const { connectMs = 3_000, answerMs = 15_000, attempts = 3, totalMs = 60_000 } = limits;
    const { region, endpoint, publicEndpoint = endpoint } = address;
    const asking = new sdk.S3Client({
      region,
      ...makeEndpointOptions(endpoint),
      maxAttempts: attempts,
      requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs, throwOnRequestTimeout: true },
      ...checksums,
      ...quiet,
    });
    const presigning = new sdk.S3Client({ region, ...makeEndpointOptions(publicEndpoint), ...checksums, ...quiet });
    return new S3ObjectStore(sdk, { asking, presigning }, address, totalMs);
  }

  async put(key: string, bytes: Uint8Array, type: string): Promise<void> {
    const { PutObjectCommand } = this.#sdk;
    const command = new PutObjectCommand({ ...this.#locate(key), Body: bytes, ContentType: type });
    await convertStoreErrors(async () => {
      using limit = new AnswerLimit(this.#totalMs, bytes.byteLength);
      requireAnswer((await limit.wait(this.#client.send(command, limit.options))).ETag);
    });
  }

  async putFile(key: string, path: string, type: string, disposition?: string): Promise<void> {
    const { PutObjectCommand } = this.#sdk;
    const at = this.#locate(key);
    await convertStoreErrors(async () => {
      const { size } = await answered("the file can't be read", stat(path));
      const Body = createReadStream(path);
      using limit = new AnswerLimit(this.#totalMs, size);
      // The client hears no errors of what it sends, and nobody else does.
      const unreadable = new Promise<never>((_, reject) => Body.once("error", reject));
      const headers = { ContentLength: size, ContentType: type, ContentDisposition: disposition };
      const command = new PutObjectCommand({ ...at, Body, ...headers });
      try {
        const sending = this.#client.send(command, limit.options);
        requireAnswer((await Promise.race([limit.wait(sending), unreadable])).ETag);
      } finally {
        limit.abort();
        Body.destroy();
      }
    });
  }

  async get(key: string, range?: ObjectRange): Promise<StoredObject | undefined> {
    const { GetObjectCommand } = this.#sdk;
    const Range = range && `bytes=${range.first}-${range.last}`;
    const get = new GetObjectCommand({ ...this.#locate(key), ...(Range === undefined ? {} : { Range }) });
    return convertStoreErrors(async () => {
      const limit = new AnswerLimit(this.#totalMs, 0);
      const object = await limit.wait(this.#client.send(get, limit.options)).catch((error: unknown) => {
        limit[Symbol.dispose]();
        if (findStoreStatus(error) === 404) return undefined;
        throw error;
      });
      if (!object?.Body) return undefined;
      requireAnswer(object.ETag);
      const size = Number(object.ContentRange?.split("/").at(-1) ?? object.ContentLength);
      const body = limit.watch(object.Body.transformToWebStream(), object.ContentLength ?? 0);
      return { key, size, modifiedMs: object.LastModified?.getTime() ?? 0, body };
    });
  }

  async list(folder: string): Promise<readonly ObjectFacts[]> {
    const { bucket: Bucket, prefix } = this.#address;
    const Prefix = `${prefix}${checkObjectKey(folder)}/`;
    return convertStoreErrors(async () => {
      const all: ObjectFacts[] = [];
      let ContinuationToken: string | undefined;
      do {
        using limit = new AnswerLimit(this.#totalMs, 0);
        const list = new this.#sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken });
        const page = await limit.wait(this.#client.send(list, limit.options));
        requireAnswer(page.Name);
        for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
          all.push({ key: Key.slice(prefix.length), size: Size, modifiedMs: LastModified?.getTime() ?? 0 });
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
      return all.sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  }

  async deleteAll(folder: string): Promise<void> {
    const { DeleteObjectsCommand } = this.#sdk;
    const { bucket: Bucket, prefix } = this.#address;
    const objects = await this.list(folder);
    await convertStoreErrors(async () => {
      for (let from = 0; from < objects.length; from += most) {
        const Objects = objects.slice(from, from + most).map(({ key }) => ({ Key: `${prefix}${key}` }));
        using limit = new AnswerLimit(this.#totalMs, 0);
        const deleting = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
        const { Errors = [] } = await limit.wait(this.#client.send(deleting, limit.options));
        const [fault] = Errors;
        if (fault) throw new Error(`${Errors.length} objects could not be deleted (${fault.Code ?? "unknown reason"})`);
      }
    });
  }

  async presignableUntil(wishedMs: number): Promise<number> {
    return convertStoreErrors(async () => {
      const { expiration } = await this.#presigner.config.credentials();
      // oxlint-disable-next-line no-restricted-properties -- a presigned URL has a moment of its end
      const latestMs = Date.now() + (maxSeconds - 1) * 1_000;
      return Math.floor(Math.min(wishedMs, latestMs, expiration?.getTime() ?? Infinity) / 1_000) * 1_000;
    });
  }

  async presign(keys: readonly string[], expiresAtMs: number): Promise<readonly string[]> {
    const presigner = new UrlPresigner(this.#sdk, this.#presigner, expiresAtMs);
    return convertStoreErrors(async () => {
      const urls: string[] = [];
      for (const key of keys) {
        urls.push(await presigner.presign(this.#locate(key)));
        // A long recording has thousands: let other requests run in between.
        if (urls.length % 100 === 0) await setImmediate();
      }
      return urls;
    });
  }

  /** Closes its connections. */
  close(): void {
    this.#client.destroy();
    this.#presigner.destroy();
  }

  #locate(key: string): { readonly Bucket: string; readonly Key: string } {
    const { bucket, prefix } = this.#address;
    return { Bucket: bucket, Key: `${prefix}${checkObjectKey(key)}` };
  }
}
