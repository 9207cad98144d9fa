/** Error codes of an output whose reader has closed it. */
const readerGone: ReadonlySet<string> = new Set(["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED"]);

/**
 * Keeps write errors of the output from ending the process. When the reader has closed it, such as `head`, the run goes on and
 * keeps its exit code. After any other error, such as a full disk, the exit code is 3, and a line gives the reason.
 */
export function watchOutput(): void {
  let hasFailed = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (hasFailed || readerGone.has(error.code ?? "")) return;
    hasFailed = true;
    console.error(`conformance: the output could not be written (${error.message})`);
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", onError);
  process.on("exit", () => {
    if (hasFailed) process.exitCode = 3;
  });
}
