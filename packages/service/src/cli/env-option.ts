import { Option } from "commander";

/** A flag with an environment variable of the same name: `CLOUD_BROWSER_PORT` for `--port`. Source: ours. */
export function env(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`CLOUD_BROWSER_${option.name().replaceAll("-", "_").toUpperCase()}`);
}
