import { asText, type CommandError, type Fields, isFields, refusal } from "../../devtools/message.ts";

/** Returns where an uploaded file is on this machine, by the path that its uploader was given; undefined for any other path. */
export type UploadAt = (path: string) => string | undefined;

const unknownUpload = refusal(
  "A file for a page is uploaded to its session first: POST /control/sessions/{session_id}/files; use the path of its answer. Any other path refers to a file on the machine of the browser, and is refused. Or send the content: Playwright's setInputFiles does; in the page: const list = new DataTransfer(); list.items.add(new File([content], name)); input.files = list.files; input.dispatchEvent(new Event('change', { bubbles: true })).",
);

/** Returns whether a value names files. */
const hasItems = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

/**
 * Returns the parameters of a command with the paths of uploaded files, in place of those that the client was given; the error when it names
 * any other file: pages would read files of this machine.
 */
export function withUploads(
  method: string,
  params: Fields,
  uploadAt: UploadAt | undefined,
): { readonly params: Fields } | { readonly failure: CommandError } {
  if (method === "DOM.setFileInputFiles" && hasItems(params["files"])) {
    const files = findPlaces(params["files"], uploadAt);
    return files ? { params: { ...params, files } } : { failure: unknownUpload };
  }
  const { data } = params;
  if (method === "Input.dispatchDragEvent" && isFields(data) && hasItems(data["files"])) {
    const files = findPlaces(data["files"], uploadAt);
    return files ? { params: { ...params, data: { ...data, files } } } : { failure: unknownUpload };
  }
  return { params };
}

/** Returns where files are; undefined unless each is known. */
function findPlaces(paths: unknown, uploadAt: UploadAt | undefined): readonly string[] | undefined {
  if (!Array.isArray(paths)) return undefined;
  const places = paths.map((path) => uploadAt?.(asText(path) ?? ""));
  return places.every((place) => place !== undefined) ? places : undefined;
}
