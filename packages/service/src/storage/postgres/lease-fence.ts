import { ServiceError } from "../../service-error.ts";
import type { Lease } from "../lease-store.ts";
import type { Query } from "./postgres-database.ts";

/**
 * Inserts a row under a lease: its host and its epoch are the last two columns. The lease can't be revoked before the row is there, and
 * nothing is inserted when it was revoked or expired before.
 *
 * @param into - `INSERT INTO table (columns…, host, epoch)`.
 * @param values - Of the columns before those two.
 * @throws {ServiceError} `storage-failed` when the lease is lost, too.
 */
export async function insertedUnder(
  { name, epoch }: Lease,
  query: Query,
  into: string,
  values: readonly (string | number | boolean | null)[],
): Promise<void> {
  // Of a parameter that is only selected the database would not know the type.
  const places = values.map((value, index) => `$${index + 3}::${getSqlType(value)}`);
  const inserted = await query(
    `${into} SELECT ${places.join(", ")}, name, epoch FROM leases
      WHERE name = $1 AND epoch = $2 AND NOT revoked AND expires_at > clock_timestamp() FOR SHARE
      RETURNING 1`,
    [name, epoch, ...values],
  );
  if (inserted.length > 0) return;
  throw new ServiceError(
    "storage-failed",
    "this node has lost its lease and accepts nothing new until it has a new one",
  );
}

/** Returns the type that the database has for a value. */
function getSqlType(value: string | number | boolean | null): "bigint" | "boolean" | "text" {
  if (typeof value === "boolean") return "boolean";
  return typeof value === "number" ? "bigint" : "text";
}
