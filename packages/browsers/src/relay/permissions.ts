import { type Fields, isFields, textOf } from "../devtools/message.ts";

/** Permissions that give a page nothing of the machine; both ways of writing that the protocol has, without the hyphens. */
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

const isHarmless = (name: unknown): boolean => harmless.has((textOf(name) ?? "").replaceAll("-", "").toLowerCase());

/** Returns why permissions are refused: a sentence, or undefined when they may be. */
export function refusedPermission({ permissions, permission, setting }: Fields): string | undefined {
  if (setting === "denied") return undefined;
  const names = [
    ...(Array.isArray(permissions) ? permissions : []),
    ...(isFields(permission) ? [permission["name"]] : []),
  ];
  for (const name of names) if (!isHarmless(name)) return notGiven(`The permission ${quoted(name)}`);
  const detail = isFields(permission) ? refusedDetail(permission) : undefined;
  return detail === undefined ? undefined : notGiven(`The permission with ${quoted(detail)}`);
}

/** Returns the field of a permission descriptor that widens it: `allowWithoutSanitization` makes of writing to the clipboard reading it. */
function refusedDetail(permission: Fields): string | undefined {
  return Object.keys(permission).find((name) => !harmlessDetails.has(name) && permission[name] !== false);
}

const quoted = (name: unknown): string =>
  typeof name === "string" ? `'${name.slice(0, 100)}'` : "that has no text as its name";

const notGiven = (what: string): string =>
  `${what} is not granted: it reaches what sessions share with each other or with the machine.`;
