import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { FakeAnswer } from "../../testing/fakes/fake-api.ts";
import { eachTestAlone, openSettings } from "../../testing/open-settings.tsx";
import { withField, zipOf } from "../../testing/zip-files.ts";

eachTestAlone();

const none = { imported: 0, skipped: 0, deleted: 0, outcomes: [], folders: 0, presets: 0, problems: [] };
const section = () => within(screen.getByRole("region", { name: "Import" }));

/** Chooses a file. Returns the live list of calls that change data. */
async function choose(
  bytes: Uint8Array,
  answer: FakeAnswer = { json: { ...none, imported: 1 } },
  storage?: readonly FakeAnswer[],
) {
  const sent = await openSettings("data", {
    "GET /chat-history?archived=true&limit=50": { json: [] },
    "POST /import": answer,
    ...(storage && { "GET /storage": storage }),
  });
  const input = document.querySelector("input[type=file]");
  if (!input) throw new Error("No input");
  const files = [new File([new Uint8Array(bytes)], "export.zip")];
  await act(async () => fireEvent.change(input, { target: { files } }));
  return sent;
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
  const problems = [
    { chat: "Fjords", reason: "files" },
    { chat: "Bad", reason: "tree" },
  ];
  await choose(broken, { json: { ...none, imported: 1, problems } });
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

test.each([
  ["[{}]", JSON.stringify([{ title: "Chat" }])],
  ["{ conversations }", JSON.stringify({ conversations: [] })],
  ["half a document", "{ half"],
  ["nothing", ""],
  ["control characters", "\u0000\u0001"],
])("a file of another format is refused, and nothing is sent: %s", async (_, text) => {
  const sent = await choose(new TextEncoder().encode(text));
  await vi.waitFor(() =>
    expect(section().getByRole("alert").textContent).toMatch(
      /This is not a file of exported chats.+ChatGPT, Claude, Open WebUI or LibreChat.+parley-export/,
    ),
  );
  expect(sent()).toEqual([]);
});

test("a file of a newer version is refused, and nothing is sent", async () => {
  const sent = await choose(new TextEncoder().encode(JSON.stringify({ ...exportOfOne, version: 2 })));
  await vi.waitFor(() =>
    expect(section().getByRole("alert").textContent).toContain("This file comes from a newer version."),
  );
  expect(sent()).toEqual([]);
});

test("a long file is imported in several requests, and chats that cannot be imported are listed", async () => {
  const titles = Array.from({ length: 122 }, (_, at) => (at < 120 ? `Chat ${at}` : ["Broken one", 7][at - 120]));
  const chats = titles.map((title) => ({ title, messages: [] }));
  // Like the server, it names a chat without a title by its position in the request.
  const sent = await choose(
    new TextEncoder().encode(JSON.stringify({ ...exportOfOne, chats }, null, 2)),
    ({ body }) => {
      const received: { title: unknown }[] = Object(body).chats;
      const problems = received.flatMap(({ title }, at) => {
        if (title === "Broken one") return [{ chat: title, reason: "tree" }];
        return typeof title === "string" ? [] : [{ chat: `#${at + 1}`, reason: "broken" }];
      });
      return Response.json({ ...none, imported: received.length - problems.length, problems });
    },
  );
  await vi.waitFor(() => expect(section().getByText("120 chats were imported.")).toBeTruthy());
  expect(section().getByText("2 could not be imported:")).toBeTruthy();
  const lines = section().getAllByRole("listitem");
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    "Broken one: its messages are inconsistent",
    "#122: it is damaged or in another format",
  ]);
  expect(sent().length).toBeGreaterThan(2);
});

test("the storage of the account is read again after an import of our own", async () => {
  const storage = (bytes: number) => ({ json: { bytes, maxBytes: 1e9, maxChatBytes: 1.6e7, largest: [] } });
  await choose(new TextEncoder().encode(JSON.stringify(exportOfOne)), { json: { ...none, imported: 1 } }, [
    storage(1000),
    storage(3_000_000),
  ]);
  const meter = within(screen.getByRole("region", { name: "Storage" })).getByRole("progressbar");
  await vi.waitFor(() => expect(meter.getAttribute("value")).toBe("3000000"));
});
