import { FILE_NAME_HEADER, type Upload } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import type { TestApp } from "../app/start-test-app.ts";

/** A file to upload. `range`: the `Content-Range` of a piece. */
export type UploadCall = { token: string; id?: string; name?: string; bytes?: Uint8Array | string; range?: string };

/** Uploads a file or a piece of it. */
export function putFile(
  app: TestApp,
  { token, id = crypto.randomUUID(), name = "note.txt", bytes = "A note", range }: UploadCall,
): Promise<Response> {
  const headers = { [FILE_NAME_HEADER]: encodeURIComponent(name), ...(range && { "content-range": range }) };
  return app.call("PUT", filePaths.file(id), { token, headers, body: Buffer.from(bytes) });
}

/** Uploads a whole file. @returns the file that the server has read */
export async function uploadFile(app: TestApp, call: UploadCall) {
  const response = await putFile(app, call);
  const { file } = (await response.json()) as Upload;
  if (!file) throw new Error(`The upload was answered with ${response.status}`);
  return file;
}
