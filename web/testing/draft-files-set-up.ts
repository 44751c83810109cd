/** For the tests of files of drafts: pages of one browser, and a server of files. */

import { afterEach, beforeEach, expect, vi } from "vitest";
import type { AttachedFile } from "#contract/files/files.ts";
import { api } from "../api/client.ts";
import type { Locks } from "../api/events/tab-tools.ts";
import { DraftFiles } from "../files/draft-files.ts";
import { AccountFiles, type AccountFilesDeps } from "../files/upload/account-files.ts";
import { StoredFiles } from "../files/upload/stored-files.ts";
import { MemoryRecords } from "../storage/record-store.ts";
import { Store } from "../store/store.ts";
import { FakeFiles, plainTransport } from "./fakes/fake-files.ts";

/** What the tabs of a browser share. */
type Browser = { records: MemoryRecords; draft: Store<readonly AttachedFile[]>; locks: Locks | null };
export type Page = {
  files: DraftFiles;
  uploads: AccountFiles;
  /** Name, state and error of each file. */
  states: () => string[][];
  close: () => void;
} & Browser;

/** Blob URLs that are not revoked. */
export const previews = new Set<string>();
const pages: Page[] = [];

/** Replaces the server and the blob URLs in each test; checks that no blob URL is left when all pages are closed. */
export function setUpFileServer(): { server: FakeFiles } {
  const current = { server: new FakeFiles() };
  beforeEach(() => {
    current.server = new FakeFiles();
    vi.stubGlobal("fetch", current.server.fetch);
    vi.spyOn(Math, "random").mockReturnValue(0);
    let count = 0;
    vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
      count += 1;
      previews.add(`blob:${count}`);
      return `blob:${count}`;
    });
    vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void previews.delete(url));
  });
  afterEach(() => {
    for (const page of pages.splice(0)) page.close();
    expect([...previews]).toEqual([]);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  return current;
}

export const browser = (locks: unknown = null): Browser => ({
  ...{ records: new MemoryRecords(), draft: new Store<readonly AttachedFile[]>([]), locks: locks as Locks | null },
});

/** Opens a page with the draft of a browser. */
export function openPage(shared: Browser = browser(), more: Partial<AccountFilesDeps> = {}): Page {
  const { records, draft, locks } = shared;
  const limits = () => ({ maxBytes: 1000, maxPerMessage: 4 });
  const uploads = new AccountFiles({
    ...{ account: "ada", api, stored: new StoredFiles(records), locks, transport: plainTransport, limits },
    prepare: async (file) => file,
    isReferenced: (id) => draft.get().some((file) => file.id === id),
    ...more,
  });
  const files = new DraftFiles({ draft, uploads, limits: more.limits ?? limits });
  const states = () => files.files.get().map(({ name, state, error }) => [name, state, ...(error ? [error] : [])]);
  const close = () => {
    files[Symbol.dispose]();
    uploads[Symbol.dispose]();
  };
  const page = { ...shared, files, uploads, states, close };
  pages.push(page);
  return page;
}

export const text = (name: string, content = name) => new File([content], name, { type: "text/plain" });
export const photo = (name = "photo.jpg") => new File(["pixels"], name, { type: "image/jpeg" });
/** Returns the ids of the files once they are ready. */
export const settledIds = async (page: Page) => (await page.files.settled()) ?? [];
/** Resolves once a page has sent so many requests. */
export const asked = (server: FakeFiles, count: number) => vi.waitFor(() => expect(server.log).toHaveLength(count));
