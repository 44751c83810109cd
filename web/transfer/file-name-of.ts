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
