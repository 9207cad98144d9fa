import { type Fields, isFields, asText } from "../../devtools/message.ts";

/** Permissions without access to the machine, in both spellings of the protocol, without hyphens. */
const harmless: ReadonlySet<string> = new Set([
  "accelerometer",
  "ambientlightsensor",
  "backgroundfetch",
  "backgroundsync",
  "clipboardsanitizedwrite",
  "clipboardwrite",
  "durablestorage",
  "geolocation",
  "gyroscope",
  "idledetection",
  "localnetwork",
  "localnetworkaccess",
  "loopbacknetwork",
  "magnetometer",
  "notifications",
  "paymenthandler",
  "periodicbackgroundsync",
  "persistentstorage",
  "push",
  "screenwakelock",
  "sensors",
  "storageaccess",
  "toplevelstorageaccess",
  "wakelockscreen",
]);

/** Fields of a permission descriptor that are harmless beside its name. */
const harmlessDetails: ReadonlySet<string> = new Set(["name", "sysex", "userVisibleOnly", "panTiltZoom"]);

const isHarmless = (name: unknown): boolean => harmless.has((asText(name) ?? "").replaceAll("-", "").toLowerCase());

/** Returns why permissions are refused; undefined if they are allowed. */
export function refusedPermission({ permissions, permission, setting }: Fields): string | undefined {
  if (setting === "denied") return undefined;
  const names = [
    ...(Array.isArray(permissions) ? permissions : []),
    ...(isFields(permission) ? [permission["name"]] : []),
  ];
  for (const name of names) if (!isHarmless(name)) return notGranted(`The permission ${quoteName(name)}`);
  const detail = isFields(permission) ? refusedDetail(permission) : undefined;
  return detail === undefined ? undefined : notGranted(`The permission with ${quoteName(detail)}`);
}

/** Returns those of some permissions that are granted. */
export function pickGranted(permissions: readonly unknown[]): readonly unknown[] {
  return permissions.filter(isHarmless);
}

/** Returns the field of a permission descriptor that extends it, such as `allowWithoutSanitization`. */
function refusedDetail(permission: Fields): string | undefined {
  return Object.keys(permission).find((name) => !harmlessDetails.has(name) && permission[name] !== false);
}

const quoteName = (name: unknown): string =>
  typeof name === "string" ? `'${name.slice(0, 100)}'` : "whose name is not a string";

const notGranted = (what: string): string =>
  `${what} is not granted: it gives access to what sessions share with each other or with the machine.`;
