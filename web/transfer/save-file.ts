/** Has the browser keep a file, as a download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; it keeps the content itself.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The name that the server gives a file. */
export function fileNameOf(response: Response, fallback: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get("content-disposition") ?? "") ?? [];
  if (encoded === undefined) return fallback;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return fallback;
  }
}
