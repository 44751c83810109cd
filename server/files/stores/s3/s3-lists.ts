import type { StoredObject } from "../file-store.ts";
import { isStoreKey } from "../store-key.ts";
import type { PendingUpload } from "./multipart-upload.ts";
import { readXml, type XmlAnswer, type XmlFields } from "./read-xml.ts";
import type { S3Client } from "./s3-client.ts";
import { failureOfForm } from "./s3-failure.ts";

const NOT_IMPLEMENTED = 501;

/** Lists the objects whose names are the prefix and a key. @throws StoreFailure */
export async function* listStored(client: S3Client): AsyncGenerator<StoredObject> {
  const { prefix } = client.location;
  for (let token = ""; ; ) {
    const query = { "list-type": "2", prefix, ...(token !== "" && { "continuation-token": token }) };
    const { fields, items } = await readPage(client, query, "ListBucketResult");
    for (const { name, fields: object } of items) {
      const key = keyOf(object, prefix);
      if (name !== "Contents" || key === undefined) continue;
      const size = Number(object.get("Size") ?? Number.NaN);
      const storedAt = Date.parse(object.get("LastModified") ?? "");
      if (Number.isNaN(size) || Number.isNaN(storedAt))
        throw failureOfForm(client.location, "an object without a size");
      yield { key, size, storedAt };
    }
    const next = fields.get("IsTruncated") === "true" ? (fields.get("NextContinuationToken") ?? "") : undefined;
    if (next === undefined) return;
    if (next === "" || next === token) throw failureOfForm(client.location, "a list that does not end");
    token = next;
  }
}

/** Lists multipart uploads of such objects; none if the server has no such lists. @throws StoreFailure */
export async function* listPending(client: S3Client): AsyncGenerator<PendingUpload> {
  const { prefix } = client.location;
  for (let markers = {}; ; ) {
    const { fields, items } = await readPage(client, { uploads: "", prefix, ...markers }, "ListMultipartUploadsResult");
    for (const { name, fields: upload } of items) {
      const uploadId = upload.get("UploadId");
      if (name !== "Upload" || uploadId === undefined || keyOf(upload, prefix) === undefined) continue;
      yield { name: upload.get("Key") ?? "", uploadId, initiatedAt: Date.parse(upload.get("Initiated") ?? "") };
    }
    if (fields.get("IsTruncated") !== "true") return;
    const next = {
      "key-marker": fields.get("NextKeyMarker") ?? "",
      "upload-id-marker": fields.get("NextUploadIdMarker") ?? "",
    };
    if (JSON.stringify(next) === JSON.stringify(markers)) {
      throw failureOfForm(client.location, "a list that does not end");
    }
    markers = next;
  }
}

async function readPage(client: S3Client, query: Record<string, string>, root: string): Promise<XmlAnswer> {
  const { status, text } = await client.call({ method: "GET", query }, [NOT_IMPLEMENTED]);
  if (status === NOT_IMPLEMENTED) return { root, fields: new Map(), items: [] };
  const answer = readXml(text);
  if (answer.root !== root) throw failureOfForm(client.location, "a list of another form");
  return answer;
}

function keyOf(object: XmlFields, prefix: string): string | undefined {
  const name = object.get("Key") ?? "";
  const key = name.slice(prefix.length);
  return name.startsWith(prefix) && isStoreKey(key) ? key : undefined;
}
