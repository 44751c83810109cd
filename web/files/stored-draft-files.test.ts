import { describe, expect, test, vi } from "vitest";
import { log } from "../log.ts";
import { MemoryRecords } from "../storage/record-store.ts";
import { asked, browser, openPage, photo, settledIds, setUpFileServer, text } from "../testing/draft-files-set-up.ts";
import { FakeBrowser } from "../testing/fakes/fake-tabs.ts";

const files = setUpFileServer();

describe("files of a draft after a reload", () => {
  test("a ready file is ready without a request after a reload", async () => {
    const ours = browser();
    const first = openPage(ours);
    await first.files.add([text("a")]);
    const ids = await settledIds(first);
    first.close();
    files.server.log.length = 0;
    const second = openPage(ours);
    expect(await second.files.settled()).toEqual(ids);
    expect(files.server.log).toEqual([]);
  });

  test("an upload continues under its id after a reload", async () => {
    const ours = browser();
    files.server.gate = new Promise(() => {});
    const first = openPage(ours);
    await first.files.add([text("a", "Hello")]);
    await asked(files.server, 1);
    first.close();
    files.server.gate = Promise.resolve();
    const [file] = ours.draft.get();
    const second = openPage(ours);
    expect(await second.files.settled()).toEqual([file?.id]);
    expect(files.server.log.slice(1)).toEqual(["HEAD", "PUT 0-4/5"]);
    expect(files.server.bytesOf(file?.id ?? "")).toBe("Hello");
  });

  test("a picture that was not prepared yet is prepared, and previewed, after a reload", async () => {
    const ours = browser();
    const first = openPage(ours, { prepare: () => new Promise(() => {}) });
    await first.files.add([photo()]);
    await vi.waitFor(async () => expect(await ours.records.keys()).toHaveLength(2));
    first.close();
    const second = openPage(ours, { prepare: async ({ name }) => ({ name, bytes: new Blob(["small"]) }) });
    const ids = await second.files.settled();
    expect(files.server.bytesOf(ids?.[0] ?? "")).toBe("small");
  });

  test("a file that was ready long ago is requested, because the server removes unsent ones", async () => {
    const ours = browser();
    const first = openPage(ours);
    await first.files.add([text("a")]);
    const ids = await first.files.settled();
    first.close();
    files.server.stored.clear();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 24 * 60 * 60_000);
    const second = openPage(ours);
    expect(await second.files.settled()).toEqual(ids);
    expect(files.server.bytesOf(ids?.[0] ?? "")).toBe("a");
  });

  test("a file is ready after a reload without stored bytes if the server has it, else it is gone", async () => {
    const ours = browser();
    const first = openPage(ours);
    await first.files.add([text("a"), text("b")]);
    const ids = await settledIds(first);
    first.close();
    files.server.stored.delete(ids?.[1] ?? "");
    const second = openPage({ ...ours, records: new MemoryRecords() });
    await vi.waitFor(() =>
      expect(second.states()).toEqual([
        ["a", "ready"],
        ["b", "failed", "file-gone"],
      ]),
    );
    expect(second.files.files.get()[1]?.canRetry).toBe(false);
  });
});

test("a file that the server no longer has at its send is uploaded again under a new id", async () => {
  const page = openPage();
  await page.files.add([text("a"), text("b")]);
  const ids = (await page.files.settled()) ?? [];
  files.server.stored.delete(ids[0] ?? "");
  page.uploads.recheck(ids);
  expect(await page.files.settled()).toBeNull();
  await vi.waitFor(() =>
    expect(page.states()).toEqual([
      ["a", "failed", "file-gone"],
      ["b", "ready"],
    ]),
  );
  expect(page.files.files.get()[0]?.canRetry).toBe(true);
  page.files.retry(ids[0] ?? "");
  const again = (await page.files.settled()) ?? [];
  expect(again[0]).not.toBe(ids[0]);
  expect(again[1]).toBe(ids[1]);
  expect(files.server.bytesOf(again[0] ?? "")).toBe("a");
  await vi.waitFor(async () => expect(await page.records.keys()).not.toContain(`${ids[0]}/bytes`));
  expect(page.draft.get().map(({ id }) => id)).toEqual(again);
});

describe("files of an accepted message", () => {
  test("files of an accepted message are removed here, and stay on the server", async () => {
    const page = openPage();
    await page.files.add([text("a")]);
    const ids = (await page.files.settled()) ?? [];
    page.draft.set([]);
    page.uploads.sent(ids);
    await vi.waitFor(async () => expect(await page.records.keys()).toEqual([]));
    expect(files.server.stored.size).toBe(1);
    expect(page.uploads.get(ids[0] ?? "")).toBeUndefined();
  });

  test("files of an accepted message are reused by an edit, and not deleted when they are removed there", async () => {
    vi.useFakeTimers();
    const page = openPage();
    const file = { id: "f", name: "a.txt", type: "text/plain", size: 3 };
    page.uploads.know([file]);
    page.draft.set([file]);
    expect(await page.files.settled()).toEqual(["f"]);
    page.files.remove("f");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(files.server.log).toEqual([]);
  });
});

describe("one draft in two tabs", () => {
  test("two tabs with one draft upload a file once", async () => {
    const shared = browser(new FakeBrowser().locks);
    const gate = Promise.withResolvers<void>();
    files.server.gate = gate.promise;
    const first = openPage(shared);
    await first.files.add([text("a")]);
    await asked(files.server, 1);
    const second = openPage(shared);
    expect(second.states()).toEqual([["a", "waiting"]]);
    gate.resolve();
    expect(await second.files.settled()).toEqual(await first.files.settled());
    expect(files.server.log).toEqual(["PUT 0-0/1"]);
  });

  test("a tab continues the upload of one that was closed", async () => {
    const shared = browser(new FakeBrowser().locks);
    files.server.gate = new Promise(() => {});
    const first = openPage(shared);
    await first.files.add([text("a")]);
    await asked(files.server, 1);
    const second = openPage(shared);
    files.server.gate = Promise.resolve();
    first.close();
    expect(await second.files.settled()).toHaveLength(1);
    expect(files.server.log).toEqual(["PUT 0-0/1", "HEAD", "PUT 0-0/1"]);
  });

  test("a tab gives up a file that the other one has removed", async () => {
    const shared = browser();
    files.server.gate = new Promise(() => {});
    const page = openPage(shared);
    await page.files.add([text("a")]);
    const id = page.draft.get()[0]?.id ?? "";
    await asked(files.server, 1);
    shared.draft.set([]);
    expect(page.uploads.get(id)).toBeUndefined();
    expect(page.files.files.get()).toEqual([]);
  });
});

test("a browser without storage attaches files for this page", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  const broken = new MemoryRecords();
  for (const method of ["get", "put", "delete", "keys"] as const)
    vi.spyOn(broken, method).mockRejectedValue(new Error("No storage"));
  const page = openPage({ ...browser(), records: broken });
  await page.files.add([text("a")]);
  expect(await page.files.settled()).toHaveLength(1);
  expect(log.warn).toHaveBeenCalledOnce();
});
