import { createHash, randomUUID } from "node:crypto";

/** Smallest part of a multipart upload but the last. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

export type BucketObject = { bytes: Buffer; storedAt: number; etag: string };
type Upload = { id: string; name: string; initiatedAt: number; parts: Map<number, BucketObject> };

/** What a request is answered with. */
export type BucketAnswer = { status: number; headers?: Record<string, string>; body?: string | Buffer };

/** A request for a bucket. `name` of an object; empty for the bucket. */
export type BucketRequest = {
  method: string;
  name: string;
  query: URLSearchParams;
  range: string | undefined;
  body: Buffer;
};

export const errorOf = (status: number, code: string): BucketAnswer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message><RequestId>1</RequestId></Error>`,
});

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const xml = (root: string, content: string): BucketAnswer => ({
  status: 200,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`,
});
const toObject = (bytes: Buffer, storedAt: number): BucketObject => ({
  ...{ bytes, storedAt },
  etag: `"${createHash("md5").update(bytes).digest("hex")}"`,
});

/** A bucket in memory, with the calls and errors of S3 that the server uses. */
export class Bucket {
  readonly objects = new Map<string, BucketObject>();
  readonly uploads = new Map<string, Upload>();
  /** Most entries of a page of a list. */
  pageSize = 1000;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  answer(request: BucketRequest): BucketAnswer {
    const { method, name, query } = request;
    if (name === "") return this.#list(request);
    const uploadId = query.get("uploadId");
    if (method === "POST" && query.has("uploads")) return this.#begin(name);
    if (uploadId !== null) return this.#answerUpload(request, this.uploads.get(uploadId));
    if (method === "PUT") return this.#put(name, request.body);
    if (method === "GET" || method === "HEAD") return this.#get(request);
    if (method !== "DELETE") return errorOf(405, "MethodNotAllowed");
    this.objects.delete(name);
    return { status: 204 };
  }

  #put(name: string, body: Buffer): BucketAnswer {
    const object = toObject(body, this.#now());
    this.objects.set(name, object);
    return { status: 200, headers: { etag: object.etag } };
  }

  #get({ name, range }: BucketRequest): BucketAnswer {
    const object = this.objects.get(name);
    if (!object) return errorOf(404, "NoSuchKey");
    const { bytes, etag } = object;
    if (range === undefined) return { status: 200, headers: { etag }, body: bytes };
    const [, first = "", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
    const from = Number(first);
    const to = last === "" ? bytes.length : Math.min(Number(last) + 1, bytes.length);
    if (from >= bytes.length) return errorOf(416, "InvalidRange");
    const headers = { etag, "content-range": `bytes ${from}-${to - 1}/${bytes.length}` };
    return { status: 206, headers, body: bytes.subarray(from, to) };
  }

  #list({ method, query }: BucketRequest): BucketAnswer {
    if (method !== "GET") return errorOf(405, "MethodNotAllowed");
    const prefix = query.get("prefix") ?? "";
    if (query.has("uploads")) return this.#listUploads(prefix, query.get("upload-id-marker") ?? "");
    const token = query.get("continuation-token");
    const after = token === null ? "" : Buffer.from(token, "base64url").toString();
    const pageSize = Math.min(this.pageSize, Number(query.get("max-keys") ?? this.pageSize));
    const names = [...this.objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
    const page = names.slice(0, pageSize);
    const isTruncated = names.length > page.length;
    const contents = page.map((name) => {
      const { bytes, storedAt, etag } = this.objects.get(name) ?? toObject(Buffer.alloc(0), 0);
      const time = new Date(storedAt).toISOString();
      return `<Contents><Key>${escapeXml(name)}</Key><LastModified>${time}</LastModified><ETag>${escapeXml(etag)}</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
    });
    const next = isTruncated ? Buffer.from(page.at(-1) ?? "").toString("base64url") : "";
    const head = `<Name>bucket</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>`;
    const nextToken = isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : "";
    return xml("ListBucketResult", head + nextToken + contents.join(""));
  }

  #listUploads(prefix: string, after: string): BucketAnswer {
    const found = [...this.uploads.values()].filter(({ name, id }) => name.startsWith(prefix) && id > after);
    const page = found.sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, this.pageSize);
    const last = page.at(-1);
    const isTruncated = found.length > page.length;
    const uploads = page.map(({ id, name, initiatedAt }) => {
      const owner = "<Initiator><ID>1</ID></Initiator><Owner><ID>1</ID></Owner>";
      return `<Upload><Key>${escapeXml(name)}</Key><UploadId>${id}</UploadId>${owner}<Initiated>${new Date(initiatedAt).toISOString()}</Initiated></Upload>`;
    });
    const next =
      isTruncated && last
        ? `<NextKeyMarker>${escapeXml(last.name)}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`
        : "";
    return xml("ListMultipartUploadsResult", `<IsTruncated>${isTruncated}</IsTruncated>${next}${uploads.join("")}`);
  }

  #begin(name: string): BucketAnswer {
    const id = randomUUID();
    this.uploads.set(id, { id, name, initiatedAt: this.#now(), parts: new Map() });
    return xml("InitiateMultipartUploadResult", `<Key>${escapeXml(name)}</Key><UploadId>${id}</UploadId>`);
  }

  #answerUpload({ method, name, query, body }: BucketRequest, upload: Upload | undefined): BucketAnswer {
    if (upload?.name !== name) return errorOf(404, "NoSuchUpload");
    if (method === "POST") return this.#complete(upload, body.toString());
    if (method === "PUT") {
      const part = toObject(body, this.#now());
      upload.parts.set(Number(query.get("partNumber")), part);
      return { status: 200, headers: { etag: part.etag } };
    }
    this.uploads.delete(upload.id);
    return { status: 204 };
  }

  #complete({ id, name, parts }: Upload, body: string): BucketAnswer {
    const named = [...body.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag><\/Part>/g)];
    const found = named.map(([, number, etag]) => {
      const part = parts.get(Number(number));
      return part?.etag === etag ? part : undefined;
    });
    const whole = found.flatMap((part) => part ?? []);
    if (whole.length < found.length || whole.length === 0) return errorOf(400, "InvalidPart");
    if (whole.slice(0, -1).some(({ bytes }) => bytes.length < MIN_PART_BYTES)) return errorOf(400, "EntityTooSmall");
    this.#put(name, Buffer.concat(whole.map(({ bytes }) => bytes)));
    this.uploads.delete(id);
    return xml("CompleteMultipartUploadResult", `<Key>${escapeXml(name)}</Key>`);
  }
}
