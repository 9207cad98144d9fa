import type { ServiceOptions } from "../service-options.ts";

/** Groups of options, which have no flag of their own. */
type Group = "cluster" | "limits" | "fileLimits" | "runLimits" | "queue" | "profiles" | "model";

type NameIn<Name extends Group> = `${Name}.${keyof NonNullable<ServiceOptions[Name]> & string}`;

/** Name of an option of the service as its errors have it. */
export type OptionName =
  | Exclude<keyof ServiceOptions, Group | "clock" | "log">
  | { readonly [Name in Group]: NameIn<Name> }[Group];
