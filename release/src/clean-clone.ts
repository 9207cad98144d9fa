import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { runProgram } from "./run-program.ts";

/** Clone of a repository in its own folder, which is removed on disposal. */
export interface CleanClone extends Disposable {
  /** Its root. */
  readonly root: string;
  /** Full hash of the commit. */
  readonly commit: string;
  /** Time of the commit. */
  readonly committedAt: Date;
  /** Paths of the working tree that are not as in the commit. */
  readonly uncommitted: readonly string[];
  /** Arguments that start the pinned pnpm, behind `npx`. */
  readonly pnpm: readonly string[];
}

/**
 * Clones the commit that a working tree stands on.
 *
 * @param from - Root of the working tree.
 * @param withUncommitted - True puts what is not committed over the clone.
 * @throws {Error} if the folder is in no git repository, or has files that are not committed and those were not asked for.
 */
export async function cloneClean(from: string, withUncommitted: boolean): Promise<CleanClone> {
  const git = (...args: string[]): Promise<string> => runProgram("git", args, { cwd: from, minutes: 2 });
  const commit = (await git("rev-parse", "HEAD")).trim();
  const committedAt = new Date((await git("show", "--no-patch", "--format=%cI", "HEAD")).trim());
  const uncommitted = listChangedPaths(
    await git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"),
  );
  if (uncommitted.length > 0 && !withUncommitted) {
    const files = `${uncommitted.slice(0, 3).join(", ")}${uncommitted.length > 3 ? ", …" : ""}`;
    throw new Error(
      `the working tree is not as the commit (${uncommitted.length}: ${files}): a release is made of a commit. ` +
        "Commit what changed, or give --uncommitted for a trial that can't be published.",
    );
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "release-")));
  const root = join(folder, "repository");
  try {
    await git("clone", "--quiet", "--local", "--no-checkout", realpathSync(from), root);
    await runProgram("git", ["checkout", "--quiet", "--detach", commit], { cwd: root, minutes: 2 });
    for (const path of uncommitted) putOver(join(from, path), join(root, path));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const { packageManager } = z
    .looseObject({ packageManager: z.string() })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  return {
    root,
    commit,
    committedAt,
    uncommitted,
    pnpm: ["--yes", packageManager],
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function listChangedPaths(status: string): string[] {
  return status
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => line.slice(3));
}

function putOver(source: string, target: string): void {
  if (!existsSync(source)) return rmSync(target, { force: true });
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target);
}
