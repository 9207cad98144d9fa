/** Saves a text as a file of the person's. */
export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([text]));
}

/** Saves bytes as a file of the person's. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
