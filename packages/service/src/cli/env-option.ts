import { InvalidArgumentError, Option } from "commander";

/** A flag with an environment variable of the same name: `CLOUD_BROWSER_PORT` for `--port`. Source: ours. */
export function env(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`CLOUD_BROWSER_${option.name().replaceAll("-", "_").toUpperCase()}`);
}

/** Reads what a flag says that needs to say nothing: its environment variable has to say something. Source: ours. */
export function yesOrNo(text: string): boolean {
  if (["true", "yes", "1"].includes(text)) return true;
  if (["false", "no", "0", ""].includes(text)) return false;
  throw new InvalidArgumentError("Give true or false.");
}
