/** For tests: the body of a question of a temporary chat with files. */

import type { TemporaryRequest } from "#contract/conversation/temporary.ts";

/** Returns the request, and the bytes behind it as text. */
export async function readTemporaryBody(body: unknown): Promise<{ request: TemporaryRequest; bytes: string }> {
  if (!(body instanceof Blob)) throw new Error("The body has no files");
  const all = await body.arrayBuffer();
  const length = new DataView(all).getUint32(0);
  const decode = (from: number, to?: number) => new TextDecoder().decode(all.slice(from, to));
  return { request: JSON.parse(decode(4, 4 + length)), bytes: decode(4 + length) };
}
