import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { anyRequest, inPieces, isMethod, S3Harness, storeFailureOf } from "../../../../testing/files/s3-harness.ts";
import { type S3Request, type S3Server, startS3Server } from "../../../../testing/files/s3-server.ts";
import { newId } from "../../../database/new-id.ts";
import { MissingObject } from "../file-store.ts";
import { PART_BYTES } from "./object-parts.ts";
import type { S3FileStore } from "./s3-store.ts";

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

describe("failing buckets", () => {
  const calls: Record<string, (store: S3FileStore, key: string) => Promise<unknown>> = {
    put: (store, key) => store.put(key, inPieces(bytes)),
    open: (store, key) => buffer(store.open(key)),
    delete: (store, key) => store.delete(key),
    sizeOf: (store, key) => store.sizeOf(key),
    list: async (store) => {
      for await (const _ of store.list());
    },
    removeLeftovers: (store) => store.removeLeftovers(0),
  };

  it.each(Object.keys(calls))("a call of %s is repeated after temporary errors, and then succeeds", async (name) => {
    const store = harness.openStore();
    const key = newId();
    await store.put(key, inPieces(bytes));
    for (const fault of [
      { status: 500, code: "InternalError" },
      { status: 503, code: "SlowDown" },
      { status: 429, code: "TooManyRequests" },
      { cutRequestAfter: 0 },
    ]) {
      const before = server.requests.length;
      harness.fail(anyRequest, fault, 2);
      await calls[name]?.(store, key);
      expect(server.requests.length - before).toBeGreaterThanOrEqual(3);
      if (name === "delete") await store.put(key, inPieces(bytes));
    }
    expect((await buffer(store.open(key))).equals(bytes)).toBe(true);
  });

  it.each(Object.keys(calls))(
    "a call of %s ends with a failure that stays temporary after four attempts",
    async (name) => {
      const store = harness.openStore();
      const key = newId();
      await store.put(key, inPieces(bytes));
      harness.fail(anyRequest, { status: 503, code: "SlowDown" });
      const before = server.requests.length;
      const failure = await storeFailureOf(Promise.resolve(calls[name]?.(store, key)));
      expect(failure).toMatchObject({ code: "unavailable", isTemporary: true });
      // A HEAD has no body that would name the code.
      expect(failure.reason).toMatch(
        /^The file store s3:\/\/attached\/files\/ at 127\.0\.0\.1:\d+ answered with an error/,
      );
      expect(server.requests.length - before).toBe(4);
    },
  );

  it("an unreachable or silent server is a temporary failure", async () => {
    const silent = harness.openStore({ attemptMs: 200 });
    harness.fail(anyRequest, { isSilent: true });
    const slow = await storeFailureOf(silent.sizeOf(newId()));
    expect([slow.isTemporary, slow.reason]).toEqual([true, expect.stringContaining("does not answer (TimeoutError)")]);
    expect(server.requests.length).toBeGreaterThanOrEqual(2);
    await server.close();
    const gone = await storeFailureOf(harness.openStore().sizeOf(newId()));
    expect([gone.isTemporary, gone.reason]).toEqual([true, expect.stringContaining("does not answer (ECONNREFUSED)")]);
  });

  it.each([
    ["a wrong secret", { secretAccessKey: "another-secret" }, "403 SignatureDoesNotMatch"],
    ["an unknown key", { accessKeyId: "AKIDOTHER" }, "403 InvalidAccessKeyId"],
    ["another region", { region: "eu-test-2" }, "expects another region or endpoint"],
    ["another bucket", { bucket: "other" }, "has no such bucket"],
    ["another time", { skew: 20 * 60_000 }, "set the clocks"],
  ])(
    "a store fails at once for %s, by a sentence without keys",
    async (_name, wrong: Record<string, unknown>, sentence) => {
      const { region = "eu-test-1", bucket = "attached", skew = 0, ...keys } = wrong;
      server.now = () => Date.now() + Number(skew);
      const store = harness.openStore({ url: `s3://${bucket}/?endpoint=${server.endpoint}&region=${region}`, ...keys });
      const failure = await storeFailureOf(store.put(newId(), inPieces(bytes)));
      expect([failure.isTemporary, failure.code, failure.reason]).toEqual([
        false,
        "unavailable",
        expect.stringContaining(sentence),
      ]);
      expect(inspect(failure, { depth: 10 })).not.toMatch(/AKI|secret|Signature=|wJalr/);
      expect([server.requests.length, server.bucket.objects.size]).toEqual([1, 0]);
    },
  );

  it("a redirect is not followed", async () => {
    const other = await startS3Server(opened);
    const headers = { location: `${other.endpoint}/attached/files/` };
    harness.fail(anyRequest, { answer: { status: 307, headers } });
    const failure = await storeFailureOf(harness.openStore().put(newId(), inPieces(bytes)));
    expect(failure.reason).toContain("expects another region or endpoint in FILES_URL (status 307)");
    expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it("the message of a bucket's error contains only its code", async () => {
    const body = "<Error><Code>No secret words</Code><Message>secret</Message></Error>";
    harness.fail(anyRequest, { answer: { status: 400, body } });
    const failure = await storeFailureOf(harness.openStore().put(newId(), inPieces(bytes)));
    expect(failure.reason).toMatch(/answered with an error \(status 400\)\.$/);
  });

  it("a full bucket is reported as full storage", async () => {
    harness.fail(anyRequest, { status: 507, code: "XMinioStorageFull" });
    expect(await storeFailureOf(harness.openStore().put(newId(), inPieces(bytes)))).toMatchObject({
      code: "storage-full",
    });
  });

  it("disposing a store ends its running calls", async () => {
    harness.fail(anyRequest, { isSilent: true });
    const store = harness.openStore();
    const failed = storeFailureOf(store.sizeOf(newId()));
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    await store[Symbol.asyncDispose]();
    expect((await failed).isTemporary).toBe(true);
    expect(server.requests).toHaveLength(1);
  });
});

describe("broken connections to a bucket", () => {
  it("a download whose connection breaks is opened again at the position that was reached", async () => {
    const store = harness.openStore();
    const key = newId();
    await store.put(key, inPieces(bytes));
    harness.fail(isMethod("GET"), { cutAnswerAfter: 100_000 }, 2);
    expect((await buffer(store.open(key))).equals(bytes)).toBe(true);
    harness.fail(isMethod("GET"), { cutAnswerAfter: 1000 }, 3);
    expect((await buffer(store.open(key, { from: 70, to: 250_000 }))).equals(bytes.subarray(70, 250_000))).toBe(true);
  });

  it("a download whose every connection breaks ends with a failure, and never with a shorter file", async () => {
    const store = harness.openStore();
    const key = newId();
    await store.put(key, inPieces(bytes));
    harness.fail(isMethod("GET"), { cutAnswerAfter: 1000 });
    const failure = await storeFailureOf(buffer(store.open(key)));
    expect([failure.isTemporary, failure.reason]).toEqual([true, expect.stringContaining("breaks off")]);
    expect(harness.methods.filter((method) => method === "GET")).toHaveLength(4);
  });

  it("a download of a file that is deleted meanwhile ends as missing", async () => {
    const store = harness.openStore();
    const key = newId();
    await store.put(key, inPieces(bytes));
    harness.fail(isMethod("GET"), { cutAnswerAfter: 1000 }, 1);
    const pieces = store.open(key)[Symbol.asyncIterator]();
    await pieces.next();
    server.bucket.objects.clear();
    await expect(
      (async () => {
        while (!(await pieces.next()).done);
      })(),
    ).rejects.toThrow(MissingObject);
  });

  it("a put whose every connection breaks leaves nothing visible", async () => {
    const store = harness.openStore();
    for (const size of [bytes.length, 2 * PART_BYTES]) {
      const key = newId();
      harness.fail(isMethod("PUT"), { cutRequestAfter: 1000 });
      expect((await storeFailureOf(store.put(key, inPieces(randomBytes(size))))).isTemporary).toBe(true);
      expect([await store.sizeOf(key), server.bucket.objects.size, server.bucket.uploads.size]).toEqual([
        undefined,
        0,
        0,
      ]);
    }
  });

  it("a put whose connection breaks after it was carried out leaves one whole file", async () => {
    const store = harness.openStore();
    const large = randomBytes(PART_BYTES + 10);
    for (const [content, isLast] of [
      [bytes, isMethod("PUT")],
      [large, ({ method, query }: S3Request) => method === "POST" && query.has("uploadId")],
    ] as const) {
      const key = newId();
      harness.fail(isLast, { isAnswerLost: true }, 1);
      expect(await store.put(key, inPieces(content))).toBe(content.length);
      expect((await buffer(store.open(key))).equals(content)).toBe(true);
    }
  });
});
