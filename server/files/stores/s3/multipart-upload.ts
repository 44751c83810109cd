import { createHash } from "node:crypto";
import type { ObjectPart } from "./object-parts.ts";
import { readXml } from "./read-xml.ts";
import type { S3Client } from "./s3-client.ts";
import { failureOfAnswer, failureOfForm } from "./s3-failure.ts";

const NOT_FOUND = 404;

/** An incomplete multipart upload. */
export type PendingUpload = { name: string; uploadId: string; initiatedAt: number };

/** A multipart upload of one object, which is visible once it is complete. */
export class MultipartUpload {
  readonly #client: S3Client;
  readonly #name: string;
  readonly #uploadId: string;
  readonly #etags: string[] = [];

  private constructor(client: S3Client, { name, uploadId }: Pick<PendingUpload, "name" | "uploadId">) {
    this.#client = client;
    this.#name = name;
    this.#uploadId = uploadId;
  }

  /** @throws StoreFailure */
  static async begin(client: S3Client, name: string): Promise<MultipartUpload> {
    const { text } = await client.call({ method: "POST", name, query: { uploads: "" } });
    const uploadId = readXml(text).fields.get("UploadId");
    if (!uploadId) throw failureOfForm(client.location, "a multipart upload without an id");
    return new MultipartUpload(client, { name, uploadId });
  }

  /** @throws StoreFailure */
  async add({ bytes, sha256 }: ObjectPart): Promise<void> {
    const query = { partNumber: String(this.#etags.length + 1), uploadId: this.#uploadId };
    const { headers } = await this.#client.call({ method: "PUT", name: this.#name, query, body: bytes, sha256 });
    if (typeof headers.etag !== "string") throw failureOfForm(this.#client.location, "a part without an ETag");
    this.#etags.push(headers.etag);
  }

  /**
   * Makes the object visible.
   * @param isStored called if the server does not know the upload: an earlier attempt may have completed it
   * @throws StoreFailure
   */
  async complete(isStored: () => Promise<boolean>): Promise<void> {
    const parts = this.#etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const sha256 = createHash("sha256").update(body).digest("hex");
    const query = { uploadId: this.#uploadId };
    const answer = await this.#client.call({ method: "POST", name: this.#name, query, body, sha256 }, [NOT_FOUND]);
    if (answer.status !== NOT_FOUND) return;
    if (answer.code === "NoSuchUpload" && (await isStored())) return;
    throw failureOfAnswer(this.#client.location, answer);
  }

  /** Removes the parts. @throws StoreFailure */
  abort(): Promise<void> {
    return abortUpload(this.#client, { name: this.#name, uploadId: this.#uploadId });
  }
}

/** Removes the parts of an upload; one that is not there is none. @throws StoreFailure */
export async function abortUpload(
  client: S3Client,
  { name, uploadId }: Pick<PendingUpload, "name" | "uploadId">,
): Promise<void> {
  await client.call({ method: "DELETE", name, query: { uploadId } }, [NOT_FOUND]);
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
