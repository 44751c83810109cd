import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, api } from "../../api/client.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import { FakeFiles, plainTransport } from "../../testing/fakes/fake-files.ts";
import { FileUpload } from "./file-upload.ts";

const ID = "00000000-0000-4000-8000-000000000001";
const KIB = 1024;
/** Three pieces: 512 KiB, 1 MiB as the first was fast, and the rest. */
const SIZE = 2 * KIB * KIB;
const large = (size = SIZE) => new Blob(["x".repeat(size)]);

let files = new FakeFiles();
beforeEach(() => {
  files = new FakeFiles();
  vi.stubGlobal("fetch", files.fetch);
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Begins an upload. */
function begin(bytes: Blob | null, { isFresh = true, name = "notes.txt" } = {}) {
  const leave = new AbortController();
  const reports: ("wait" | number)[] = [];
  const upload = new FileUpload(
    { id: ID, name, bytes },
    {
      ...{ api, transport: plainTransport, signal: leave.signal },
      onSent: (count) => reports.push(count),
      onWait: () => reports.push("wait"),
    },
    isFresh,
  );
  return { done: upload.run(), leave, reports };
}

describe("uploads", () => {
  test("a small file is uploaded at once, with its name", async () => {
    const { done } = begin(new Blob(["Hello"]), { name: "Résumé 100%.txt" });
    expect(await done).toEqual({ id: ID, name: "Résumé 100%.txt", type: "text/plain", size: 5 });
    expect(files.log).toEqual(["PUT 0-4/5"]);
    expect(files.bytesOf(ID)).toBe("Hello");
  });

  test("a large file is uploaded in pieces, which grow while they are fast", async () => {
    const { done, reports } = begin(large());
    await done;
    expect(files.log).toEqual(["PUT 0-524287/2097152", "PUT 524288-1572863/2097152", "PUT 1572864-2097151/2097152"]);
    expect(reports).toEqual([524288, 1572864]);
    expect(files.stored.get(ID)?.bytes.length).toBe(SIZE);
  });

  test("an upload of an earlier page continues at its position", async () => {
    files.stored.set(ID, { bytes: new Uint8Array(SIZE - 3), size: SIZE, name: "n", type: "text/plain", file: null });
    await begin(large(), { isFresh: false }).done;
    expect(files.log).toEqual(["HEAD", `PUT ${SIZE - 3}-${SIZE - 1}/${SIZE}`]);
  });

  test("an upload of which nothing has arrived begins anew", async () => {
    await begin(new Blob(["Hello"]), { isFresh: false }).done;
    expect(files.log).toEqual(["HEAD", "PUT 0-4/5"]);
  });

  test("an upload whose bytes have all arrived is only finished", async () => {
    files.stored.set(ID, { bytes: new Uint8Array(5), size: 5, name: "n", type: "text/plain", file: null });
    await begin(new Blob(["Hello"]), { isFresh: false }).done;
    expect(files.log).toEqual(["HEAD", "PUT */5"]);
  });

  test("an upload that the server has read is found without the bytes", async () => {
    const file = { id: ID, name: "photo.jpg", type: "image/jpeg", size: 4 };
    files.stored.set(ID, { bytes: new Uint8Array(4), size: 4, name: "n", type: "image/jpeg", file });
    expect(await begin(null, { isFresh: false }).done).toEqual(file);
  });

  test.each([
    ["half there", true],
    ["absent", false],
  ])("an upload without the bytes fails if it is %s", async (_, isThere) => {
    if (isThere) files.stored.set(ID, { bytes: new Uint8Array(2), size: 5, name: "n", type: "text/plain", file: null });
    await expect(begin(null, { isFresh: false }).done).rejects.toMatchObject({ code: "file-gone" });
  });

  test("an upload with another length than the one begun replaces it", async () => {
    files.stored.set(ID, { bytes: new Uint8Array(2), size: 9, name: "n", type: "text/plain", file: null });
    await begin(new Blob(["Hello"]), { isFresh: false }).done;
    expect(files.log).toEqual(["HEAD", "DELETE", "PUT 0-4/5"]);
    expect(files.bytesOf(ID)).toBe("Hello");
  });

  test("an upload of a file that can no longer be read fails, and not as a lost network", async () => {
    const bytes = new Blob(["Hello"]);
    const gone = { arrayBuffer: () => Promise.reject(new DOMException("changed", "NotReadableError")) };
    vi.spyOn(bytes, "slice").mockReturnValue(Object.assign(new Blob(), gone));
    await expect(begin(bytes).done).rejects.toMatchObject({ code: "file-gone" });
    expect(files.log).toEqual([]);
  });
});

describe("uploads after a failure", () => {
  test.each(["lost", "lost after storing"] as const)(
    "an upload requests the position and continues: %s",
    async (fault) => {
      files.faults.push(fault);
      const { done, reports } = begin(large());
      await done;
      expect(files.stored.get(ID)?.bytes.length).toBe(SIZE);
      expect(files.log.slice(0, 3)).toEqual([
        "PUT 0-524287/2097152",
        "HEAD",
        // The lost piece makes the next one smaller.
        fault === "lost" ? "PUT 0-262143/2097152" : "PUT 524288-786431/2097152",
      ]);
      expect(reports.slice(0, 2)).toEqual(["wait", fault === "lost" ? 0 : 524288]);
    },
  );

  test.each([
    [500, "internal"],
    [503, "draining"],
    [429, "too-many-requests"],
  ])("an upload is repeated after the response %i %s", async (status, code) => {
    files.faults.push(problem(status, code));
    await begin(new Blob(["Hello"])).done;
    expect(files.log).toEqual(["PUT 0-4/5", "HEAD", "PUT 0-4/5"]);
  });

  test.each([
    [415, "file-type"],
    [409, "quota-reached"],
    [507, "storage-full"],
    [413, "file-too-large"],
  ])("an upload is not repeated after the response %i %s", async (status, code) => {
    files.faults.push(problem(status, code));
    await expect(begin(new Blob(["Hello"])).done).rejects.toMatchObject({ code });
    expect(files.log).toEqual(["PUT 0-4/5"]);
  });

  test("a repeated upload waits as long as the server demands", async () => {
    vi.useFakeTimers();
    const refused = problem(429, "too-many-requests");
    const body = typeof refused !== "function" && "json" in refused ? refused.json : {};
    files.faults.push(() => Response.json(body, { status: 429, headers: { "retry-after": "40" } }));
    const { done } = begin(new Blob(["Hello"]));
    await vi.advanceTimersByTimeAsync(39_000);
    expect(files.log).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    await done;
  });

  test("an upload gives up after two minutes without a server", async () => {
    vi.useFakeTimers();
    files.faults.push(...Array.from({ length: 100 }, () => "lost" as const));
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const failing = expect(begin(new Blob(["Hello"])).done).rejects.toBeInstanceOf(ApiError);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await failing;
  });

  test("an upload waits for the network without a limit", async () => {
    vi.useFakeTimers();
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    files.faults.push("lost");
    const { done } = begin(new Blob(["Hello"]));
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(files.log).toEqual(["PUT 0-4/5"]);
    online.mockReturnValue(true);
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    await done;
    expect(files.log).toEqual(["PUT 0-4/5", "HEAD", "PUT 0-4/5"]);
  });

  test("an upload continues at the server's position if another tab has sent more", async () => {
    const half = { bytes: new Uint8Array(SIZE / 2), size: SIZE, name: "n", type: "text/plain", file: null };
    files.faults.push(() => {
      files.stored.set(ID, half);
      return Response.json({ detail: "No.", error: "No.", code: "upload-moved" }, { status: 409 });
    });
    await begin(large()).done;
    expect(files.log.slice(0, 3)).toEqual(["PUT 0-524287/2097152", "HEAD", "PUT 1048576-1572863/2097152"]);
  });

  test("an upload fails if the position is repeatedly contradictory", async () => {
    files.faults.push(...Array.from({ length: 20 }, () => problem(409, "upload-moved")));
    await expect(begin(new Blob(["Hello"])).done).rejects.toMatchObject({ code: "upload-moved" });
    expect(files.log.length).toBeLessThan(20);
  });
});

test("an upload that is cancelled ends at once, with the signal's reason", async () => {
  files.gate = new Promise(() => {});
  const { done, leave } = begin(new Blob(["Hello"]));
  await vi.waitFor(() => expect(files.log).toHaveLength(1));
  leave.abort(new Error("Removed"));
  await expect(done).rejects.toThrow("Removed");
});
