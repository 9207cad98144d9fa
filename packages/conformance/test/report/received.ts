/** Requests as a server has received them, and the shell that sends them again. */
import { execFile } from "node:child_process";
import type { IncomingMessage } from "node:http";

/** A request as it arrived. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  /** Without those that belong to the connection, by name: their order, and the case of the length's name, are curl's. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body, each as a character. */
  readonly body: string;
}

/** Reads a whole request. */
export async function receive(request: IncomingMessage): Promise<Received> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const { method, url: path, rawHeaders } = request;
  const headers = rawHeaders
    .flatMap((name, at) =>
      at % 2 === 0 ? [[name.replace(/^content-length$/i, "content-length"), rawHeaders[at + 1] ?? ""] as const] : [],
    )
    .filter(([name]) => !/^(host|connection)$/i.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { method, path, headers, body: Buffer.concat(pieces).toString("latin1") };
}

/** Runs a command line in bash, from standard input: an argument of bash could not be that long. */
export function runInShell(
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env["PATH"], LC_ALL: "C", ...env }, maxBuffer: 1e8 };
    const child = execFile("bash", [], options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
    child.stdin?.end(command);
  });
}
