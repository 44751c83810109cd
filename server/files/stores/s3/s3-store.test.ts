import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { anyRequest, inPieces, isMethod, S3Harness, storeFailureOf } from "../../../../testing/files/s3-harness.ts";
import type { S3Request, S3Server } from "../../../../testing/files/s3-server.ts";
import { newId } from "../../../database/new-id.ts";
import { PART_BYTES } from "./object-parts.ts";

let opened: AsyncDisposableStack;
let harness: S3Harness;
let server: S3Server;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(new S3Harness());
  await harness.open();
  ({ server } = harness);
});
afterEach(() => opened.disposeAsync());

const bytes = randomBytes(300_000);

describe("requests to a bucket", () => {
  it.each([
    ["path", "/attached/", "files/"],
    ["virtual", "/", "files/"],
    ["path", "/attached/", ""],
  ])("a store in the %s style puts objects under its prefix", async (style, _path, prefix) => {
    const endpoint = style === "path" ? server.endpoint : `http://s3.test:${server.port}`;
    const url = `s3://attached/${prefix}?endpoint=${endpoint}&region=eu-test-1&style=${style}`;
    const hosts: string[] = [];
    const store = harness.openStore({
      url,
      lookup: (host, _options, done) => {
        hosts.push(host);
        done(null, [{ address: "127.0.0.1", family: 4 }]);
      },
    });
    const key = newId();
    await store.put(key, inPieces(bytes));
    expect([...server.bucket.objects.keys()]).toEqual([`${prefix}${key}`]);
    expect((await buffer(store.open(key))).equals(bytes)).toBe(true);
    expect(new Set(hosts)).toEqual(new Set(style === "virtual" ? ["attached.s3.test"] : []));
  });

  it.each([
    [0, ["PUT"]],
    [PART_BYTES, ["PUT"]],
    [PART_BYTES + 1, ["POST", "PUT", "PUT", "POST"]],
    [2 * PART_BYTES, ["POST", "PUT", "PUT", "POST"]],
    [2 * PART_BYTES + 70_000, ["POST", "PUT", "PUT", "PUT", "POST"]],
  ])("a file of %i bytes is stored by the requests %j", async (size, expected) => {
    const large = randomBytes(size);
    const store = harness.openStore();
    const key = newId();
    expect(await store.put(key, inPieces(large))).toBe(size);
    expect(harness.methods).toEqual(expected);
    expect((await buffer(store.open(key))).equals(large)).toBe(true);
    expect([await store.sizeOf(key), server.bucket.uploads.size]).toEqual([size, 0]);
  });

  it("a request is signed with the hash of its body, and without the headers that proxies change", async () => {
    const store = harness.openStore();
    const key = newId();
    await store.put(key, inPieces(bytes));
    await buffer(store.open(key, { from: 1 }));
    const hashes = server.requests.map(({ headers }) => headers["x-amz-content-sha256"]);
    const sha256 = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");
    expect(hashes).toEqual([sha256(bytes), sha256(Buffer.alloc(0))]);
    const signed = server.requests.map(({ headers }) => /SignedHeaders=([^,]*)/.exec(headers.authorization ?? "")?.[1]);
    expect(new Set(signed)).toEqual(new Set(["host;x-amz-content-sha256;x-amz-date"]));
  });

  it("puts at once read only a few files at a time, and of each no more than a part", async () => {
    harness.fail(anyRequest, { isSilent: true });
    const store = harness.openStore();
    let read = 0;
    const piece = new Uint8Array(65_536);
    const endless = async function* () {
      for (;;) {
        read += piece.length;
        yield piece;
      }
    };
    const puts = Array.from({ length: 20 }, () => store.put(newId(), endless()));
    const ended = Promise.allSettled(puts);
    await vi.waitFor(() => expect(server.requests).toHaveLength(4));
    expect(read).toBeLessThanOrEqual(4 * (PART_BYTES + piece.length));
    await store[Symbol.asyncDispose]();
    expect((await ended).map(({ status }) => status)).toEqual(puts.map(() => "rejected"));
  });

  it("a reader that stops early closes its connection", async () => {
    const store = harness.openStore();
    const key = newId();
    await store.put(key, inPieces(randomBytes(4_000_000)));
    for await (const piece of store.open(key)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await vi.waitFor(async () => expect(await server.countConnections()).toBe(0));
  });

  it("a reader to the end leaves its connection for the next", async () => {
    const store = harness.openStore();
    const key = newId();
    await store.put(key, inPieces(bytes));
    for (let count = 0; count < 5; count++) await buffer(store.open(key, { from: count }));
    expect(await server.countConnections()).toBe(1);
  });
});

describe("multipart uploads", () => {
  const large = randomBytes(PART_BYTES + 10);
  const isComplete = ({ method, query }: S3Request) => method === "POST" && query.has("uploadId");
  const errorWithSuccess = (code: string) => ({ answer: { status: 200, body: `<Error><Code>${code}</Code></Error>` } });

  it("a multipart upload that the server fails to combine is repeated, although it begins with success", async () => {
    harness.fail(isComplete, errorWithSuccess("InternalError"), 2);
    const store = harness.openStore();
    const key = newId();
    await store.put(key, inPieces(large));
    expect((await buffer(store.open(key))).equals(large)).toBe(true);
  });

  it("a multipart upload that the server refuses is aborted", async () => {
    harness.fail(isComplete, errorWithSuccess("InvalidPart"));
    const failure = await storeFailureOf(harness.openStore().put(newId(), inPieces(large)));
    expect([failure.isTemporary, failure.reason]).toEqual([false, expect.stringContaining("200 InvalidPart")]);
    expect([server.bucket.objects.size, server.bucket.uploads.size]).toEqual([0, 0]);
  });

  it("a multipart upload that the server lacks is a failure, unless the file is there with its size", async () => {
    harness.fail(isComplete, { status: 404, code: "NoSuchUpload" });
    const store = harness.openStore();
    const key = newId();
    expect((await storeFailureOf(store.put(key, inPieces(large)))).reason).toContain("NoSuchUpload");
    server.faultOf = () => undefined;
    await store.put(key, inPieces(bytes));
    harness.fail(isComplete, { status: 404, code: "NoSuchUpload" });
    expect((await storeFailureOf(store.put(key, inPieces(large)))).reason).toContain("NoSuchUpload");
  });

  it("multipart uploads that began before a time are removed, in pages, without newer ones or other prefixes", async () => {
    const store = harness.openStore();
    server.bucket.pageSize = 3;
    const begin = (name: string, initiatedAt: number) => {
      const id = crypto.randomUUID();
      server.bucket.uploads.set(id, { id, name, initiatedAt, parts: new Map() });
      return id;
    };
    for (let count = 0; count < 10; count++) begin(`files/${newId()}`, 1000);
    const others = [begin(`files/${newId()}`, 3000), begin(`other/${newId()}`, 1000), begin("files/photo.jpg", 1000)];
    await store.removeLeftovers(2000);
    expect([...server.bucket.uploads.keys()].sort()).toEqual(others.sort());
  });

  it("a multipart upload that is gone when it is to be removed is no failure", async () => {
    const name = `files/${newId()}`;
    server.bucket.uploads.set("1", { id: "1", name, initiatedAt: 1000, parts: new Map() });
    harness.fail(isMethod("DELETE"), { status: 404, code: "NoSuchUpload" });
    await harness.openStore().removeLeftovers(2000);
    expect(harness.methods).toEqual(["GET", "DELETE"]);
  });

  it("a list of multipart uploads that does not end is a failure", async () => {
    const body = "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>";
    harness.fail(anyRequest, { answer: { status: 200, body } });
    const failure = await storeFailureOf(harness.openStore().removeLeftovers(2000));
    expect(failure.reason).toContain("a list that does not end");
  });

  it("multipart uploads are left to a server that has no list of them", async () => {
    harness.fail(anyRequest, { status: 501, code: "NotImplemented" });
    await harness.openStore().removeLeftovers(Date.now());
    expect(server.requests).toHaveLength(1);
  });
});

describe("lists of objects", () => {
  it("a list of 10,000 objects is read in pages, without those of other prefixes and other names", async () => {
    const store = harness.openStore();
    const put = (name: string) =>
      server.bucket.objects.set(name, { bytes: Buffer.from("a"), storedAt: 1_700_000_000_123, etag: '"a"' });
    const keys = Array.from({ length: 10_000 }, () => newId());
    for (const key of keys) put(`files/${key}`);
    for (const name of [`${newId()}`, `files2/${newId()}`, `files/sub/${newId()}`, "files/a & b <c>", "files/"])
      put(name);
    const found: string[] = [];
    for await (const { key, size, storedAt } of store.list()) {
      found.push(key);
      if (size !== 1 || storedAt !== 1_700_000_000_123) expect.fail(`${key} has ${size} bytes of ${storedAt}`);
    }
    expect(found.sort()).toEqual(keys.sort());
    expect(server.requests).toHaveLength(11);
  });

  const list = (content: string) => ({
    answer: { status: 200, body: `<ListBucketResult>${content}</ListBucketResult>` },
  });
  const key = newId();

  it.each([
    ["no XML", { answer: { status: 200, body: "<html><body>Sign in</body></html>" } }],
    ["too much text", { answer: { status: 200, body: " ".repeat(5_000_000) } }],
    ["cut XML", { answer: { status: 200, body: "<ListBucketResult><Contents" } }],
    ["no token", list("<IsTruncated>true</IsTruncated>")],
    ["the same token", list("<IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken>")],
    ["no size", list(`<Contents><Key>files/${key}</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`)],
    ["no time", list(`<Contents><Key>files/${key}</Key><Size>1</Size></Contents>`)],
  ])("a list of objects with %s is a failure", async (_name, fault) => {
    harness.fail(anyRequest, fault);
    const read = async () => {
      for await (const _ of harness.openStore().list());
    };
    expect((await storeFailureOf(read())).reason).toContain("answered otherwise than S3");
  });
});

it("the list of objects of a server that ignores the prefix has no other objects", async () => {
  const entry = (name: string) =>
    `<Contents><Key>${name}</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`;
  const own = newId();
  const body = `<ListBucketResult>${entry(`files/${own}`)}${entry(`other/${newId()}`)}</ListBucketResult>`;
  harness.fail(anyRequest, { answer: { status: 200, body } });
  const found: string[] = [];
  for await (const { key } of harness.openStore().list()) found.push(key);
  expect(found).toEqual([own]);
});

describe("downloads", () => {
  it.each([
    ["the whole file instead of a range", { status: 200, body: "0123456789" }],
    ["another range", { status: 206, headers: { "content-range": "bytes 0-3/10" }, body: "0123" }],
    ["more than the range", { status: 206, headers: { "content-range": "bytes 2-9/10" }, body: "23456789" }],
  ])("a download that is answered with %s is a failure", async (_name, answer) => {
    const store = harness.openStore();
    harness.fail(anyRequest, { answer });
    const failure = await storeFailureOf(buffer(store.open(newId(), { from: 2, to: 6 })));
    expect(failure.reason).toContain("another range than asked for");
  });

  it("a download from a bucket that is gone is a failure, and not a missing file", async () => {
    const store = harness.openStore();
    harness.fail(isMethod("GET"), { status: 404, code: "NoSuchBucket" });
    expect((await storeFailureOf(buffer(store.open(newId())))).reason).toContain("has no such bucket");
  });
});

it("a delete is one request, and repeated without harm", async () => {
  const store = harness.openStore();
  const key = newId();
  await store.delete(key);
  expect(harness.methods).toEqual(["DELETE"]);
});
