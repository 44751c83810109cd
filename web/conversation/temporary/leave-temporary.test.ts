import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signOut } from "../../accounts/session/session.ts";
import { selectCurrent } from "../../chats/state/chats-selectors.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { fakeApi } from "../../testing/fakes/fake-api.ts";
import { clearNotifications, currentNotifications, runLatestAction } from "../../ui/notifications/notify.ts";
import { openStoredSession } from "../stored-session.ts";
import { discardTemporary, offerReturn, withdrawReturn } from "./leave-temporary.ts";
import { temporarySession } from "./temporary-session.ts";

beforeEach(() => {
  localStorage.clear();
  fakeApi({ "POST /auth/logout": { status: 204, text: "" } });
});
afterEach(async () => {
  await signOut();
  clearNotifications();
  vi.unstubAllGlobals();
});

function begin() {
  const session = temporarySession(openStoredSession(""));
  const current = () => selectCurrent(session.store.getState());
  const said = () => current()?.messages.map(({ content, state }) => `${state}: ${content}`);
  const say = (key: string, question: string, answer: string | null) => {
    const chat = current()?.id ?? "";
    session.store.dispatch(chatEvents.sendMessageWithAiStream({ chat, key, text: question }));
    session.store.dispatch(chatEvents.receiveStreamStart({ chat, reply: `${key}-r`, at: 1 }));
    if (answer !== null) session.store.dispatch(chatEvents.receiveStreamToken({ chat, token: answer }));
    return () => session.store.dispatch(chatEvents.completeStream({ chat }));
  };
  return { session, say, said };
}

test("Undo restores a discarded conversation, a running reply with its text so far", () => {
  const { session, say, said } = begin();
  say("k1", "One?", "An answer")();
  say("k2", "Two?", "Half an");
  discardTemporary(session);
  expect(said()).toEqual([]);
  expect(runLatestAction()).toBe(true);
  expect(said()).toEqual(["complete: One?", "complete: An answer", "complete: Two?", "stopped: Half an"]);
  expect(selectCurrent(session.store.getState())?.isWriting).toBe(false);
});

test("Undo restores preset, effort and tools of a discarded conversation", () => {
  const { session, say } = begin();
  say("k1", "One?", "Yes")();
  const guidance = { presetId: "poet", effort: "low" as const, tools: ["web"] };
  session.store.dispatch(chatEvents.guide({ chat: session.store.getState().chats.currentChat, change: guidance }));
  discardTemporary(session);
  expect(selectCurrent(session.store.getState())).not.toMatchObject(guidance);
  runLatestAction();
  expect(selectCurrent(session.store.getState())).toMatchObject(guidance);
});

test("Undo of a discard discards later messages, and the next Undo restores them", () => {
  const { session, say, said } = begin();
  say("k1", "Before?", "Yes")();
  discardTemporary(session);
  say("k2", "Since?", "No")();
  runLatestAction();
  expect(said()).toEqual(["complete: Before?", "complete: Yes"]);
  runLatestAction();
  expect(said()).toEqual(["complete: Since?", "complete: No"]);
});

test("an empty temporary chat is replaced without a notification, and offers no return", () => {
  const { session } = begin();
  discardTemporary(session);
  offerReturn(session, () => {});
  expect(currentNotifications()).toEqual([]);
});

test("a return to the replaced chat is offered until the user returns or runs it", () => {
  const { session, say } = begin();
  const goBack = vi.fn();
  say("k1", "One?", "An answer")();
  offerReturn(session, goBack);
  withdrawReturn(session);
  expect(currentNotifications()).toEqual([]);
  offerReturn(session, goBack);
  runLatestAction();
  expect(goBack).toHaveBeenCalledOnce();
});

test("the browser asks before unloading only while a temporary chat has messages", () => {
  const { session, say } = begin();
  const isAsked = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(isAsked()).toBe(false);
  say("k1", "One?", "An answer")();
  expect(isAsked()).toBe(true);
  discardTemporary(session);
  expect(isAsked()).toBe(false);
});
