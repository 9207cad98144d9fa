/** Error codes of an output whose reader has closed it. */
const readerGone: ReadonlySet<string> = new Set(["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED"]);

/**
 * Keeps an output that fails from ending the process. A reader that has gone, such as `head`, is no fault of anybody: what
 * is done goes on, and its exit code holds. After any other failure, such as a full disk, the exit code is 3, and a line
 * says why.
 */
export function watchOutput(): void {
  let failed = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (failed || readerGone.has(error.code ?? "")) return;
    failed = true;
    console.error(`conformance: the output could not be written (${error.message})`);
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", onError);
  process.on("exit", () => {
    if (failed) process.exitCode = 3;
  });
}
