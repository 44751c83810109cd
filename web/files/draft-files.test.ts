import { describe, expect, test, vi } from "vitest";
import { asked, browser, openPage, photo, previews, setUpFileServer, text } from "../testing/draft-files-set-up.ts";
import { problem } from "../testing/fakes/fake-api.ts";
import { plainTransport } from "../testing/fakes/fake-files.ts";
import { FileFailure } from "./upload-failure.ts";

const files = setUpFileServer();

describe("files added to a draft", () => {
  test("added files are uploaded, and ready in their order", async () => {
    const page = openPage();
    expect(await page.files.add([text("a.txt"), text("b.txt")])).toEqual([]);
    expect(page.states().map(([name]) => name)).toEqual(["a.txt", "b.txt"]);
    const ids = await page.files.settled();
    expect(ids).toEqual(page.draft.get().map(({ id }) => id));
    expect(page.states()).toEqual([
      ["a.txt", "ready"],
      ["b.txt", "ready"],
    ]);
    expect(page.files.ready().map(({ name, size }) => [name, size])).toEqual([
      ["a.txt", 5],
      ["b.txt", 5],
    ]);
    expect(ids?.map((id) => files.server.bytesOf(id))).toEqual(["a.txt", "b.txt"]);
  });

  test("M5 added files have the names that the server gives them, from the beginning and in refusals", async () => {
    const page = openPage();
    expect(await page.files.add([text("../../x\u202Etxt.exe", "")])).toEqual([
      { name: "xtxt.exe", code: "file-empty" },
    ]);
    await page.files.add([text("C:\\a\u202Eb\n.txt"), text("x".repeat(300))]);
    expect(page.draft.get().map(({ name }) => name)).toEqual(["ab .txt", "x".repeat(255)]);
    expect(page.states().map(([name]) => name)).toEqual(["ab .txt", "x".repeat(255)]);
  });

  test("added files that are empty, too large or too many are refused; the others are added", async () => {
    const page = openPage();
    const given = [text("a"), text("empty", ""), text("large", "x".repeat(1001)), text("b"), text("c"), text("d")];
    expect(await page.files.add([...given, text("e")])).toEqual([
      { name: "empty", code: "file-empty" },
      { name: "large", code: "file-too-large" },
      { name: "e", code: "too-many-files" },
    ]);
    expect(page.states().map(([name]) => name)).toEqual(["a", "b", "c", "d"]);
  });

  test("an added file of a kind that cannot be sent is refused, and takes the place of no other", async () => {
    const page = openPage();
    const given = [new File(["MZ\0"], "program.exe"), ...["a", "b", "c", "d"].map((name) => text(name))];
    expect(await page.files.add(given)).toEqual([{ name: "program.exe", code: "file-type" }]);
    expect(page.states().map(([name]) => name)).toEqual(["a", "b", "c", "d"]);
  });

  test("added files are refused if files cannot be attached", async () => {
    const page = openPage(browser(), { limits: () => undefined });
    expect(await page.files.add([text("a")])).toEqual([{ name: "a", code: "files-off" }]);
    expect(page.draft.get()).toEqual([]);
  });

  test("added files are uploaded two at a time", async () => {
    const gate = Promise.withResolvers<void>();
    files.server.gate = gate.promise;
    const page = openPage();
    await page.files.add([text("a"), text("b"), text("c")]);
    await asked(files.server, 2);
    expect(page.states().at(-1)).toEqual(["c", "waiting"]);
    gate.resolve();
    await page.files.settled();
    expect(files.server.log).toHaveLength(3);
  });

  test("an added file shows its progress, and that the server reads it", async () => {
    let onSent = (_bytes: number) => {};
    const page = openPage(browser(), {
      transport: (report) => {
        onSent = report;
        return plainTransport();
      },
    });
    const gate = Promise.withResolvers<void>();
    files.server.gate = gate.promise;
    await page.files.add([text("a", "0123456789")]);
    await asked(files.server, 1);
    onSent(4);
    expect(page.files.files.get()[0]).toMatchObject({ state: "uploading", progress: 0.4 });
    onSent(10);
    expect(page.files.files.get()[0]).toMatchObject({ state: "reading", progress: 1 });
    gate.resolve();
    await page.files.settled();
  });

  test("an added file fails with the server's code; the draft cannot be sent until it is removed", async () => {
    files.server.faults.push(problem(415, "file-type"));
    const page = openPage();
    await page.files.add([text("a.exe")]);
    expect(await page.files.settled()).toBeNull();
    expect(page.files.files.get()[0]).toMatchObject({ state: "failed", error: "file-type", canRetry: false });
    page.files.remove(page.draft.get()[0]?.id ?? "");
    expect(await page.files.settled()).toEqual([]);
  });

  test("added files wait for the network, and show so", async () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    files.server.faults.push("lost");
    const page = openPage();
    await page.files.add([text("a")]);
    await vi.waitFor(() => expect(page.states()).toEqual([["a", "waiting", "offline"]]));
    online.mockReturnValue(true);
    window.dispatchEvent(new Event("online"));
    await page.files.settled();
    expect(page.states()).toEqual([["a", "ready"]]);
  });

  test("an added file can be uploaded again after a failure that may pass", async () => {
    files.server.faults.push(problem(409, "quota-reached"));
    const page = openPage();
    await page.files.add([text("a")]);
    expect(await page.files.settled()).toBeNull();
    const [file] = page.files.files.get();
    expect(file).toMatchObject({ error: "quota-reached", canRetry: true });
    page.files.retry(file?.id ?? "");
    expect(await page.files.settled()).toEqual([file?.id]);
  });
});

describe("pictures added to a draft", () => {
  test("an added picture is prepared before it is uploaded, one at a time, and previewed", async () => {
    const running = { now: 0, most: 0 };
    const page = openPage(browser(), {
      prepare: async ({ name }) => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await Promise.resolve();
        running.now -= 1;
        return { name, bytes: new Blob(["small"], { type: "image/jpeg" }) };
      },
    });
    await page.files.add([photo("a.jpg"), photo("b.jpg")]);
    expect(page.states()).toEqual([
      ["a.jpg", "preparing"],
      ["b.jpg", "preparing"],
    ]);
    expect(page.files.files.get()[0]?.preview).toMatch(/^blob:/);
    const ids = await page.files.settled();
    expect(running.most).toBe(1);
    expect(ids?.map((id) => files.server.bytesOf(id))).toEqual(["small", "small"]);
    expect(await page.uploads.pictureOf(ids?.[0] ?? "")?.text()).toBe("small");
    expect(previews.size).toBe(2);
  });

  test("an added picture fails with the reason of its preparation, or because it is still too large", async () => {
    const page = openPage(browser(), {
      prepare: async (file) => {
        if (file.name.endsWith(".heic")) throw new FileFailure("no-decoder/HEIC");
        return { name: file.name, bytes: new Blob(["x".repeat(1001)], { type: "image/jpeg" }) };
      },
    });
    await page.files.add([new File(["x"], "a.heic"), photo("b.jpg")]);
    await vi.waitFor(() =>
      expect(page.states()).toEqual([
        ["a.heic", "failed", "no-decoder/HEIC"],
        ["b.jpg", "failed", "file-too-large"],
      ]),
    );
    expect(files.server.log).toEqual([]);
  });

  test("an added picture may be larger than the limit until it is prepared", async () => {
    const page = openPage(browser(), { prepare: async ({ name }) => ({ name, bytes: new Blob(["small"]) }) });
    const large = new File(["x".repeat(5000)], "photo.jpg", { type: "image/jpeg" });
    expect(await page.files.add([large])).toEqual([]);
    expect(await page.files.settled()).toHaveLength(1);
  });
});

describe("files removed from a draft", () => {
  test("a removed file ends its upload, and is deleted everywhere when that cannot be undone", async () => {
    vi.useFakeTimers();
    const page = openPage();
    await page.files.add([text("a")]);
    await vi.advanceTimersByTimeAsync(0);
    const id = page.draft.get()[0]?.id ?? "";
    page.files.remove(id);
    expect(page.files.files.get()).toEqual([]);
    expect(page.draft.get()).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(files.server.stored.has(id)).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(files.server.stored.has(id)).toBe(false);
    expect(await page.records.keys()).toEqual([]);
    expect(page.files.undoRemove(id)).toBe(false);
  });

  test("a restored file returns to its position, and its upload continues", async () => {
    const page = openPage();
    files.server.gate = new Promise(() => {});
    await page.files.add([text("a"), text("b")]);
    await asked(files.server, 2);
    const id = page.draft.get()[0]?.id ?? "";
    page.files.remove(id);
    expect(page.states().map(([name]) => name)).toEqual(["b"]);
    files.server.gate = Promise.resolve();
    expect(page.files.undoRemove(id)).toBe(true);
    expect(page.states().map(([name]) => name)).toEqual(["a", "b"]);
    await vi.waitFor(() => expect(files.server.bytesOf(id)).toBe("a"));
    expect(files.server.log).toContain("HEAD");
  });
});

test("waiting for the files of a draft can be cancelled", async () => {
  files.server.gate = new Promise(() => {});
  const page = openPage();
  await page.files.add([text("a")]);
  const leave = new AbortController();
  const settled = page.files.settled(leave.signal);
  leave.abort(new Error("Cancelled"));
  await expect(settled).rejects.toThrow("Cancelled");
});

test("a file that was made of pasted text is known as such by the draft, also once the server has read it", async () => {
  const page = openPage();
  await page.files.add([text("pasted-text.txt")], true);
  await page.files.add([text("pasted-text.txt")]);
  await page.files.settled();
  for (const known of [page.draft.get(), page.files.ready()]) {
    expect(known.map((file) => "isPasted" in file && file.isPasted === true)).toEqual([true, false]);
  }
});
