import { afterEach, expect, it, vi } from "vitest";
import { IMPORT_BODY_MAX } from "#contract/transfer.ts";
import { fakeApi } from "../testing/fake-api.ts";
import { importFile } from "./import-file.ts";

afterEach(() => vi.unstubAllGlobals());

it("reports a chat that is larger than one request may be, and imports the others", async () => {
  const none = { imported: 0, skipped: 0, folders: 0, presets: 0, problems: [] };
  const calls = fakeApi({ "POST /import": { json: { ...none, imported: 1 } } });
  // Three bytes per character in UTF-8.
  const long = JSON.stringify({ title: "漢".repeat(IMPORT_BODY_MAX / 3) });
  const file = new Blob([`{"format":"parley-export","version":1,"chats":[${long},{"title":"Short"}]}`]);
  const result = await importFile(file, new AbortController().signal, () => {});
  expect(result).toEqual({ ...none, imported: 1, problems: [{ chat: "#1", reason: "too-large" }] });
  expect(calls.map(({ body }) => body)).toEqual([{ format: "parley-export", version: 1, chats: [{ title: "Short" }] }]);
});
