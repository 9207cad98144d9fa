// Puts the program of @ffmpeg-installer/linux-x64 into this package, as it is and executable: that package has an install script, which
// package managers refuse or warn of, and this one has none.
import { chmodSync, copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

if (process.platform === "linux" && process.arch === "x64") {
  const manifest = createRequire(import.meta.url).resolve("@ffmpeg-installer/linux-x64/package.json");
  const program = fileURLToPath(new URL("ffmpeg", import.meta.url));
  copyFileSync(join(dirname(manifest), "ffmpeg"), program);
  chmodSync(program, 0o755);
}
