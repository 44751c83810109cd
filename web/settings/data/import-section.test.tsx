import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eachTestAlone, openSettings } from "../../testing/open-settings.tsx";
import { withField, zipOf } from "../../testing/zip-files.ts";

eachTestAlone();

const none = { imported: 0, skipped: 0, folders: 0, presets: 0, problems: [] };
const section = () => within(screen.getByRole("region", { name: "Import" }));

async function choose(bytes: Uint8Array, answer: Record<string, unknown> = {}): Promise<void> {
  await openSettings("data", {
    "GET /chat-history?archived=true&limit=50": { json: [] },
    "POST /import": { json: { ...none, imported: 1, ...answer } },
  });
  const input = document.querySelector("input[type=file]");
  if (!input) throw new Error("No input");
  const files = [new File([new Uint8Array(bytes)], "export.zip")];
  await act(async () => fireEvent.change(input, { target: { files } }));
}

const ID = "00000000-0000-4000-8000-000000000001";
const part = { seq: 0, at: 0, kind: "file", id: ID, name: "report.pdf", type: "application/pdf", size: 5 };
const exportOfOne = {
  format: "parley-export",
  version: 1,
  chats: [{ title: "Fjords", messages: [{ parts: [part] }] }],
};
const zip = zipOf({ "chats.json": JSON.stringify(exportOfOne), [`files/${ID}-report.pdf`]: "Bytes" });

test("a file of a zip that is damaged is named with the reason, and chats that lack files are listed", async () => {
  const broken = withField(zip, "entry", { index: 1, at: 16, size: 4, value: 7 });
  await choose(broken, {
    problems: [
      { chat: "Fjords", reason: "files" },
      { chat: "Bad", reason: "tree" },
    ],
  });
  await vi.waitFor(() => expect(section().getByText("1 chat was imported.")).toBeTruthy());
  expect(section().getByText("1 could not be imported:")).toBeTruthy();
  expect(section().getByText("1 chat lacks files, which are shown as no longer here:")).toBeTruthy();
  expect(section().getByText("1 file was not uploaded:")).toBeTruthy();
  const lines = section().getAllByRole("listitem");
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    "Bad: its messages are inconsistent",
    "Fjords",
    expect.stringMatching(/^report\.pdf: .*damaged/),
  ]);
});

test.each([
  ["damaged or incomplete", zip.slice(0, -30)],
  ["too much time or memory", zipOf({ "chats.json": { deflated: new Uint8Array(3_000_000) } })],
  ["not a file of exported chats", zipOf({ "a.txt": "a" })],
])("a zip that cannot be imported is refused: %s", async (words, bytes) => {
  await choose(bytes);
  await vi.waitFor(() => expect(section().getByRole("alert").textContent).toContain(words));
});
