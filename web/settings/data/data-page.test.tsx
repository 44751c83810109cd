import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { problem } from "../../testing/fakes/fake-api.ts";
import { eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";
import { currentNotifications, runLatestAction } from "../../ui/notifications/notify.ts";

eachTestAlone();

const ARCHIVED = "GET /chat-history?archived=true&limit=50";
const chats = [
  { id: "b", title: "Newer", updatedAt: 2, isArchived: true },
  { id: "a", title: "Older", updatedAt: 1, isArchived: true },
];
const titles = () => screen.queryAllByRole("listitem").flatMap((line) => line.querySelector("p a")?.textContent ?? []);
const changed = (ids: string[]) => ({ json: { changed: ids } });

test("archived chats are listed with links, the newest first", async () => {
  await openSettings("data", { [ARCHIVED]: { json: chats } });
  expect(titles()).toEqual(["Newer", "Older"]);
  expect(screen.getByRole("link", { name: "Newer" }).getAttribute("href")).toBe("/chat?c=b");
});

test("the list of archived chats, which grows, is below all else", async () => {
  await openSettings("data", { [ARCHIVED]: { json: chats } });
  await screen.findByRole("heading", { name: "Shared links" });
  const sections = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(sections).toEqual(["Export", "Import", "Storage", "Shared links", "Archived chats"]);
});

test("an archived chat is restored, and archived again by Undo", async () => {
  const calls = await openSettings("data", { [ARCHIVED]: { json: chats }, "POST /chat-batch": changed(["b"]) });
  await press("Unarchive Newer");
  expect(titles()).toEqual(["Older"]);
  await act(async () => void runLatestAction());
  expect(titles()).toEqual(["Newer", "Older"]);
  expect(calls()).toEqual([
    ["POST /chat-batch", { ids: ["b"], change: { isArchived: false } }],
    ["POST /chat-batch", { ids: ["b"], change: { isArchived: true } }],
  ]);
});

test("an archived chat is deleted, which can be undone", async () => {
  const calls = await openSettings("data", { [ARCHIVED]: { json: chats }, "POST /chat-batch": changed(["a"]) });
  await press("Delete Older");
  expect(titles()).toEqual(["Newer"]);
  await act(async () => void runLatestAction());
  expect(titles()).toEqual(["Newer", "Older"]);
  expect(calls().map(([, body]) => body)).toEqual([
    { ids: ["a"], change: { isDeleted: true } },
    { ids: ["a"], change: { isDeleted: false } },
  ]);
});

test("an optimistic change of archived chats is rolled back with an error message if the server refuses", async () => {
  await openSettings("data", { [ARCHIVED]: { json: chats }, "POST /chat-batch": problem(500, "internal") });
  await press("Delete Older");
  expect(titles()).toEqual(["Newer", "Older"]);
  expect(currentNotifications().map(({ type }) => type)).toEqual(["error"]);
});

test("an empty list of archived chats shows a message", async () => {
  await openSettings("data", { [ARCHIVED]: { json: [] } });
  expect(screen.getByText("No chat is archived.")).toBeTruthy();
});

const stored = { bytes: 12_300_000, maxBytes: 1e9, maxChatBytes: 1.6e7 };
const section = () => within(screen.getByRole("region", { name: "Storage" }));

test("K3 the storage usage is shown with the largest chats", async () => {
  const largest = [
    { id: "l", title: "Long", bytes: 9_000_000 },
    { id: "s", title: "Short", bytes: 1500 },
  ];
  await openSettings("data", { [ARCHIVED]: { json: [] }, "GET /storage": { json: { ...stored, largest } } });
  expect(section().getByText("12 MB of 1 GB used")).toBeTruthy();
  expect(section().getByRole<HTMLProgressElement>("progressbar").value).toBe(12_300_000);
  const lines = section().getAllByRole("listitem");
  expect(lines.map(({ textContent }) => textContent)).toEqual(["Long9 MB", "Short1.5 kB"]);
  expect(section().getByRole("link", { name: "Long" }).getAttribute("href")).toBe("/chat?c=l");
});

test("K3 the storage usage of an empty account shows a message", async () => {
  await openSettings("data", { [ARCHIVED]: { json: [] } });
  expect(section().getByText("0 bytes of 1 GB used")).toBeTruthy();
  expect(section().getByText("Nothing is stored yet.")).toBeTruthy();
});
