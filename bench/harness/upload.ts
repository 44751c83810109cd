import type { MeasuredParley } from "./parley.ts";

/** Uploads a file in one piece. @returns its id @throws if it is refused */
export async function upload(
  { url }: Pick<MeasuredParley, "url">,
  token: string,
  file: { name: string; bytes: Uint8Array },
): Promise<string> {
  const id = crypto.randomUUID();
  const type = { "content-type": "application/octet-stream" };
  const headers = { authorization: `Bearer ${token}`, "x-file-name": file.name, ...type };
  const body = new Uint8Array(file.bytes);
  const response = await fetch(`${url}/api/files/${id}`, { method: "PUT", headers, body });
  if (!response.ok) throw new Error(`An upload answered ${response.status}: ${await response.text()}`);
  return id;
}
