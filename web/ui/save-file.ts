/** Saves a file through a browser download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then and holds its own reference to the content.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
