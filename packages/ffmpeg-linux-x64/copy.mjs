// Puts the program of @ffmpeg-installer/linux-x64 into this package, as it is and executable: that package has an install script, which
// package managers refuse or warn of, and this one has none.
import { chmodSync, copyFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

if (process.platform === "linux" && process.arch === "x64") {
  const manifest = createRequire(import.meta.url).resolve("@ffmpeg-installer/linux-x64/package.json");
  const program = fileURLToPath(new URL("ffmpeg", import.meta.url));
  // Written beside it and renamed: a program that runs can't be overwritten, and what starts it meanwhile must find a whole one.
  const written = `${program}.${process.pid}`;
  copyFileSync(join(dirname(manifest), "ffmpeg"), written);
  chmodSync(written, 0o755);
  renameSync(written, program);
}
