import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { downloadReplay, waitForReplay } from "@cloud-browser/client/replay";
import { Option, type Command } from "commander";
import { describeObject } from "../output/output-schema.ts";
import { addCommand, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { seconds } from "../command/option-parsers.ts";
import { byteSize } from "../terminal/printable.ts";
import { showProgress } from "../terminal/progress.ts";
import { openInBrowser } from "../terminal/open-in-browser.ts";

interface ReplayFlags {
  readonly output?: string;
  readonly wait: number;
  readonly open?: boolean;
  readonly force?: boolean;
}

/** Adds the command that downloads the recording of a session. */
export function register(program: Command, context: ProgramContext): void {
  addCommand<ReplayFlags>(
    program,
    context,
    "replay",
    {
      summary:
        "download the recording of an ended session as MP4; it waits until it is there, and resumes after lost connections",
      args: { "<session_id>": "id of the session" },
      options: [
        new Option("-o, --output <path>", "where to write it (default: <session_id>.mp4, here)"),
        new Option("--force", "replace a file that is there"),
        new Option("--wait <seconds>", "how long to wait for it; 0: not at all")
          .argParser(seconds(0, 86_400))
          .default(240),
        new Option("--open", "open it when it is there"),
      ],
      output: describeObject(
        {
          path: { type: "string", description: "Absolute path of the file." },
          bytes: { type: "integer", minimum: 0 },
          duration_ms: {
            type: ["integer", "null"],
            description: "How long it plays; null when the server does not say.",
          },
          resumes: { type: "integer", minimum: 0, description: "How often the download was resumed." },
        },
        "A recording that was downloaded.",
      ),
      examples: [
        "replay 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --open",
        "replay 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b -o run.mp4 --json",
      ],
    },
    replay,
  );
}

async function replay(call: Call<ReplayFlags>, id: string): Promise<void> {
  const { flags, terminal, signal, connect, print } = call;
  const { output = `${basename(id)}.mp4`, wait, force = false } = flags;
  const path = resolve(output);
  if (!force && existsSync(path)) {
    throw new CliError("usage", `${output} is there: give another --output, or --force to replace it`);
  }
  const { client } = connect();
  const progress = showProgress(terminal, "waiting for the recording", flags.json);
  try {
    const found =
      wait > 0
        ? await waitForReplay(client, id, { deadlineMs: wait * 1000, signal })
        : await client.replay(id, { signal });
    progress.update("downloading");
    const { bytes, resumes } = await downloadReplay(client, id, path, {
      replay: found,
      signal,
      allowInsecureHttp: flags.allowInsecureHttp ?? false,
      onProgress({ receivedBytes, totalBytes, resumes: times }) {
        const share = totalBytes
          ? ` of ${byteSize(totalBytes)} (${Math.floor((100 * receivedBytes) / totalBytes)} %)`
          : "";
        progress.update(`downloading ${byteSize(receivedBytes)}${share}${times > 0 ? `, resumed ${times}×` : ""}`);
      },
    });
    progress.stop();
    const duration = found.video_duration_ms;
    const result = { path, bytes, duration_ms: typeof duration === "number" ? duration : null, resumes };
    print(result, () => terminal.print(output));
    if (flags.open) await openInBrowser(path, terminal);
  } finally {
    progress.stop();
  }
}
