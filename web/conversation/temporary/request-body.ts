import { TEMPORARY_LENGTH_BYTES, type TemporaryRequest } from "#contract/conversation/temporary.ts";
import { localFile } from "../../files/local-files.ts";

/**
 * Returns the body of a request: JSON, or with files the length of the JSON, the JSON, and the bytes of the files, which
 * are not copied.
 */
export function requestBody(request: TemporaryRequest): string | Blob {
  const json = JSON.stringify(request);
  const files = request.messages.flatMap((message) => message.files ?? []);
  if (files.length === 0) return json;
  const head = new Blob([json]);
  const length = new DataView(new ArrayBuffer(TEMPORARY_LENGTH_BYTES));
  length.setUint32(0, head.size);
  return new Blob([length, head, ...files.map(({ id }) => localFile(id) ?? "")]);
}
