import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { ShareList } from "#contract/shares/shares.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { CREATED_AT, shareListOf, shareOf } from "../../testing/fakes/fake-shares.ts";
import { done, eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";
import { currentNotifications } from "../../ui/notifications/notify.ts";

eachTestAlone();

const clipboard = { writeText: vi.fn(async (_: string) => {}) };
beforeEach(() => {
  clipboard.writeText.mockClear();
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard });
});

const tides = shareOf("t", { audience: "anyone", visits: 1, expiresAt: CREATED_AT + 86_400_000 });
const winds = shareOf("w", { chatId: "b", title: "Winds", audience: "group", group: "Physics", isPaused: true });

/** Opens the page of the data. Returns the calls that change data. */
async function open(shares: FakeAnswer | readonly FakeAnswer[], answers: Record<string, FakeAnswer> = {}) {
  const calls = await openSettings("data", {
    "GET /chat-history?archived=true&limit=50": { json: [] },
    "GET /shares": shares,
    ...answers,
  });
  await screen.findByRole("heading", { name: "Shared links" });
  return calls;
}
const listed = (list: ShareList): FakeAnswer => ({ json: list });
const section = () => within(screen.getByRole("region", { name: "Shared links" }));
const rows = () => section().queryAllByRole("listitem");
const confirm = (name: string) =>
  act(async () => void fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name })));
const texts = () => currentNotifications().map(({ text }) => text);

test("links are listed with their chat, who can open them, until when and how often they were opened", async () => {
  await open(listed(shareListOf([tides, winds], { audiences: ["anyone", "signed-in"] })));
  const [first, second] = rows();
  expect(first?.textContent).toMatch(
    /^TidesAnybody with the linkCreated Nov 3, 2026.* · Expires Nov 4, 2026.* · 1 visitCopy/,
  );
  expect(section().getByRole("link", { name: "Tides" }).getAttribute("href")).toBe("/chat?c=a");
  expect(second?.textContent).toMatch(
    /^WindsMy group: Physics.* · Never expires · 0 visitsPaused: you are not in the group of this link\./,
  );
});

test("a link is copied, and opened in a tab without a referrer", async () => {
  await open(listed(shareListOf([tides])));
  await press("Copy the link to Tides");
  expect(clipboard.writeText.mock.calls).toEqual([["https://parley.example/s/t"]]);
  const opening = section().getByRole("link", { name: "Open the link to Tides" });
  expect(["href", "target", "rel"].map((name) => opening.getAttribute(name))).toEqual([
    "https://parley.example/s/t",
    "_blank",
    "noreferrer",
  ]);
});

test("a link whose address cannot be shown can be revoked only", async () => {
  await open(listed(shareListOf([shareOf("t", { url: null })])));
  expect(rows()[0]?.textContent).toContain("can no longer be shown");
  expect(section().getAllByRole("button")).toEqual([
    section().getByRole("button", { name: "Revoke the link to Tides" }),
  ]);
});

test("a revoked link leaves the list, and its heading takes the focus", async () => {
  const calls = await open(listed(shareListOf([tides, winds])), { "DELETE /shares/t": done });
  await press("Revoke the link to Tides");
  await confirm("Revoke");
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(calls()).toEqual([["DELETE /shares/t", undefined]]);
  expect(document.activeElement).toBe(section().getByRole("heading", { name: "Shared links" }));
  expect(texts()).toEqual(["The link was revoked."]);
});

test("a link that was revoked elsewhere leaves the list too", async () => {
  await open(listed(shareListOf([tides])), { "DELETE /shares/t": problem(404, "not-found") });
  await press("Revoke the link to Tides");
  await confirm("Revoke");
  expect(await section().findByText(/^No chat is shared/)).toBeTruthy();
});

test("nothing is revoked without a confirmation", async () => {
  const calls = await open(listed(shareListOf([tides, winds])));
  await press("Revoke all");
  expect(screen.getByRole("alertdialog").textContent).toContain("All 2 addresses stop working at once, for good.");
  await confirm("Cancel");
  expect(calls()).toEqual([]);
  expect(rows()).toHaveLength(2);
});

test("all links are revoked at once", async () => {
  const calls = await open(listed(shareListOf([tides, winds])), { "DELETE /shares": { json: { revoked: 2 } } });
  await press("Revoke all");
  await confirm("Revoke all");
  expect(await section().findByText("No chat is shared. The menu of a chat has Share.")).toBeTruthy();
  expect(calls()).toEqual([["DELETE /shares", undefined]]);
  expect(texts()).toEqual(["2 links were revoked."]);
});

test("links that could not all be revoked stay in the list, with the reason", async () => {
  await open(listed(shareListOf([tides, winds])), { "DELETE /shares": problem(503, "unavailable") });
  await press("Revoke all");
  await confirm("Revoke all");
  expect(rows()).toHaveLength(2);
  expect(currentNotifications().map(({ type }) => type)).toEqual(["error"]);
});

test("ten links are shown at first, and all hundred on request", async () => {
  const all = Array.from({ length: 100 }, (_, n) => shareOf(`s${n}`, { title: `Chat ${n}` }));
  await open(listed(shareListOf(all)));
  expect(rows()).toHaveLength(10);
  await press("Show all links");
  expect(rows()).toHaveLength(100);
  expect(document.activeElement).toBe(section().getByRole("link", { name: "Chat 10" }));
});

test("an account without links reads how to share a chat", async () => {
  await open(listed(shareListOf([])));
  expect(section().getByText("No chat is shared. The menu of a chat has Share.")).toBeTruthy();
  expect(section().queryByRole("button")).toBeNull();
});

test("links that could not be loaded are loaded again on request", async () => {
  await open([problem(500, "internal"), listed(shareListOf([tides]))]);
  expect(section().getByRole("alert").textContent).toMatch(/^This could not be loaded/);
  await press("Try again");
  await waitFor(() => expect(rows()).toHaveLength(1));
});
