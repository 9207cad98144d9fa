import { type Fields, isFields } from "./message.ts";

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

/** Why permissions are not given: a sentence, or undefined when they may be. Source: ours. */
export function refusedPermission({ permissions, permission, setting }: Fields): string | undefined {
  if (setting === "denied") return undefined;
  const names = [
    ...(Array.isArray(permissions) ? permissions : []),
    ...(isFields(permission) ? [permission["name"]] : []),
  ].map(String);
  const refused = names.find((name) => !harmless.has(name.replaceAll("-", "").toLowerCase()));
  if (refused === undefined) return undefined;
  return `The permission '${refused}' reaches what sessions share with each other or with the machine: it is not given.`;
}
