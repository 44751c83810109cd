import { act } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { signOut } from "../../accounts/session/session.ts";
import { ada, fakeApi } from "../../testing/fakes/fake-api.ts";
import { fakeNotifications } from "../../testing/fakes/fake-notifications.ts";
import { FakeBrowser, heldBody } from "../../testing/fakes/fake-tabs.ts";
import { eachChatScreenAlone, openChatScreen, storedChat } from "../../testing/open-chat-screen.tsx";
import { notificationSetting } from "./notification-setting.ts";

vi.mock("../../api/events/tab-tools.ts", () => ({ tabTools: () => new FakeBrowser().tools() }));

eachChatScreenAlone();

const item = (id: string, more = {}) => ({ id, title: `Chat ${id}`, updatedAt: 1, ...more });

/** Opens the chat `b`, and returns the browser's notifications and a function that lets the chat `a` begin to wait. */
async function open() {
  const notifications = fakeNotifications();
  const stream = heldBody();
  await openChatScreen("/chat?c=b", {
    "GET /chat-history": { json: [item("a"), item("b")] },
    "GET /chat/b": storedChat("b"),
    "GET /events": () => stream.response(),
  });
  await act(async () => stream.say({ at: 1, isReset: false }));
  const wait = (at: number, isWaiting: boolean) =>
    act(async () => stream.say({ at, chat: { ...item("a", { isWaiting }), leaf: "r", replyId: null } }));
  return { ...notifications, wait };
}

test("the page of another chat notifies of a chat that waits, from the moment when that is switched on", async () => {
  const { wait, shown, titles } = await open();
  await wait(2, true);
  await wait(3, false);
  notificationSetting.set(ada.id, true);
  // The code is loaded only now.
  await act(() => vi.dynamicImportSettled());
  expect(shown).toEqual([]);
  await wait(4, true);
  await vi.waitFor(() => expect(titles()).toEqual(["Chat a"]));
  notificationSetting.set(ada.id, false);
  await vi.waitFor(() => expect(titles()).toEqual([]));
  await wait(5, false);
  await wait(6, true);
  expect(shown).toHaveLength(1);
});

test("notifications close with the sign-out", async () => {
  notificationSetting.set(ada.id, true);
  const { wait, titles } = await open();
  await act(() => vi.dynamicImportSettled());
  await wait(2, true);
  await vi.waitFor(() => expect(titles()).toEqual(["Chat a"]));
  fakeApi({ "POST /auth/logout": { status: 204, text: "" } });
  await act(() => signOut());
  await vi.waitFor(() => expect(titles()).toEqual([]));
});
