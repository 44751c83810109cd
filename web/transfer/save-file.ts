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

/** Returns the file name of the response's `content-disposition` header. */
export function fileNameOf(response: Response, fallback: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get("content-disposition") ?? "") ?? [];
  if (encoded === undefined) return fallback;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return fallback;
  }
}
