import { Option } from "commander";
import { findDefaultDataFolder } from "../../data-folder.ts";

/** The flag that names the folder of the service. */
export function makeDataOption(): Option {
  return new Option("--data <folder>", "folder of the service's records and recordings")
    .env("CLOUD_BROWSER_DATA")
    .default(findDefaultDataFolder(), "in your home folder");
}
