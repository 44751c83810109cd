/**
 * Bytes of files that only this page has, by the file's id: those of a temporary chat. They are in no storage and at no
 * server.
 */
const files = new Map<string, Blob>();

export function localFile(id: string): Blob | undefined {
  return files.get(id);
}

export function addLocalFile(id: string, bytes: Blob): void {
  files.set(id, bytes);
}

export function removeLocalFile(id: string): void {
  files.delete(id);
}
