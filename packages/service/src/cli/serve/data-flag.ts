import { Option } from "commander";
import { defaultDataFolder } from "../../data-folder.ts";

/** The flag that names the folder of the service. */
export function dataOption(): Option {
  return new Option("--data <folder>", "folder of the service's records and recordings")
    .env("CLOUD_BROWSER_DATA")
    .default(defaultDataFolder(), "in your home folder");
}
