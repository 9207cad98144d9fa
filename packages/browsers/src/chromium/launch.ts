import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";

/** A program that runs. */
export interface LaunchedProgram {
  /** Its process. Its streams are there. */
  readonly child: ChildProcess;
  /** Its id. */
  readonly pid: number;
}

/**
 * Starts a program. When the system refuses, Node.js returns a child without streams, or with unconnected streams, and emits errors that
 * end the process unless handled: here the error is thrown, and those of the streams are handled.
 *
 * @throws {Error} When the system refuses, with its code: `EMFILE`, `EACCES`, `ENOENT` and so on.
 */
export async function launch(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<LaunchedProgram> {
  const child = spawn(program, args, options);
  for (const stream of getStreams(child)) stream?.on("error", () => undefined);
  const { pid } = child;
  if (pid !== undefined) return { child, pid };
  const [error] = await once(child, "error").catch((thrown: unknown) => [thrown]);
  throw error;
}

function getStreams({ stdio }: { readonly stdio?: ChildProcess["stdio"] }): ChildProcess["stdio"] | [] {
  return stdio ?? [];
}
