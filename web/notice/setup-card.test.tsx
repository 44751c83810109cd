import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SetupState } from "#contract/administration/setup.ts";
import { ada } from "../testing/fakes/fake-api.ts";
import { eachChatScreenAlone, openChatScreen, pressButton } from "../testing/open-chat-screen.tsx";

eachChatScreenAlone();

const READ = "GET /admin/setup";
const CHANGE = "PATCH /admin/setup";
const allDone: Record<string, SetupState> = {
  ...{ name: "done", registration: "done", mail: "done", provider: "done", search: "done", people: "done" },
};
const answerOf = (more: Record<string, SetupState>, rest: object = {}) => ({
  json: { steps: { ...allDone, ...more }, ...rest },
});
const TITLE = "You are the owner of Parley";

/** Opens an empty chat as an owner, and waits for lazy modules. */
async function openAsOwner(setup: ReturnType<typeof answerOf>, more: object = {}) {
  const sent = await openChatScreen("/chat", { [READ]: setup, ...more }, { ...ada, role: "owner" });
  await act(() => import("./administrator-words.tsx"));
  return sent;
}

test("the empty chat of a new owner says so, and counts only the steps that are needed", async () => {
  await openAsOwner(answerOf({ name: "todo", people: "todo", mail: "todo", provider: "todo" }));
  expect(await screen.findByRole("region", { name: TITLE })).toBeTruthy();
  expect(screen.getByText(/Finish setting up Parley: 2 steps are left\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open" }).getAttribute("href")).toBe("/administration/setup");
});

test("the card of an owner calls the remaining steps a matter of taste if none of them is needed", async () => {
  await openAsOwner(answerOf({ name: "todo", mail: "skipped" }));
  expect(await screen.findByText(/The rest is a matter of taste\./)).toBeTruthy();
});

test("the card of an owner is dismissed permanently", async () => {
  const sent = await openAsOwner(answerOf({ mail: "todo" }), {
    [CHANGE]: answerOf({ mail: "todo" }, { dismissedAt: 1 }),
  });
  await screen.findByRole("region", { name: TITLE });
  await pressButton("Close");
  expect(screen.queryByRole("region", { name: TITLE })).toBeNull();
  expect(sent()).toEqual([[CHANGE, { isDismissed: true }]]);
});

test.each([
  ["is dismissed", answerOf({ mail: "todo" }, { dismissedAt: 1 })],
  ["has nothing left to do", answerOf({ mail: "skipped" })],
])("an owner whose setup %s sees no card", async (_, setup) => {
  await openAsOwner(setup);
  await act(async () => {});
  expect(screen.queryByRole("region", { name: TITLE })).toBeNull();
});
