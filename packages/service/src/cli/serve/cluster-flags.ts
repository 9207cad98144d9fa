import type { Command } from "commander";
import { ServiceError } from "../../service-error.ts";
import type { ServiceOptions } from "../../service-options.ts";
import { makeEnvOption } from "../env-option.ts";
import { pickDefined } from "./flag-values.ts";

/** Command-line flags of a node of a cluster. */
export interface ClusterFlags {
  /** Address of the database of a cluster. */
  readonly cluster?: string;
  /** Name of this node. */
  readonly nodeName?: string;
  /** Address at which other nodes reach this one. */
  readonly nodeUrl?: string;
}

/** Adds the flags of a node of a cluster. */
export function addClusterFlags(command: Command): Command {
  return command
    .addOption(
      makeEnvOption(
        "--cluster <url>",
        "postgres://user:password@host/database that the nodes of a cluster share; a secret, so prefer CLOUD_BROWSER_CLUSTER",
      ),
    )
    .addOption(makeEnvOption("--node-name <name>", "name of this node (default: one that is kept in the data folder)"))
    .addOption(
      makeEnvOption("--node-url <url>", "URL at which other nodes reach this one (default: by --host and --port)"),
    );
}

/**
 * Returns the cluster that the flags name; undefined when they name none.
 *
 * @throws {ServiceError} `usage` when they describe a node without a cluster.
 */
export function readClusterFlags({ cluster, nodeName, nodeUrl }: ClusterFlags): ServiceOptions["cluster"] {
  if (cluster !== undefined) return { database: cluster, ...pickDefined({ nodeName, nodeUrl }) };
  if (nodeName === undefined && nodeUrl === undefined) return undefined;
  throw new ServiceError("usage", "--node-name and --node-url need --cluster");
}
