import { act, cleanup, render, renderHook, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signIn, signOut } from "../accounts/session/session.ts";
import { ada, fakeApi, tokenFor } from "../testing/fakes/fake-api.ts";
import "../testing/english-texts.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { ChatSessionContext } from "./chat-session.ts";
import { openStoredSession } from "./stored-session.ts";
import { temporarySession } from "./temporary/temporary-session.ts";
import { useLogout } from "./use-logout.tsx";

beforeEach(() => localStorage.clear());
afterEach(async () => {
  cleanup();
  await signOut();
  vi.unstubAllGlobals();
});

test("a logout leaves nothing in the browser, neither text, nor files, nor usage data", async () => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal("indexedDB", { deleteDatabase });
  fakeApi({
    "POST /auth/logout": { json: {} },
    "GET /events": () => new Promise<Response>(() => {}),
    "GET /presets": () => new Promise<Response>(() => {}),
  });
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  for (const key of ["sending:1:new", "model:1", "open-folders:1", "events:1", "diagram-heights"])
    localStorage.setItem(key, "7");
  const session = openStoredSession(ada.id);
  const { result } = renderHook(useLogout, {
    wrapper: ({ children }) => <ChatSessionContext value={session}>{children}</ChatSessionContext>,
  });
  await act(async () => result.current.logout());
  expect({ ...localStorage }).toEqual({});
  expect(deleteDatabase.mock.calls).toEqual([["parley-files:1"]]);
});

function Page() {
  const { logout, question } = useLogout();
  return (
    <>
      <button type="button" onClick={logout}>
        Out
      </button>
      {question}
    </>
  );
}

test("a logout from a temporary chat needs a confirmation", async () => {
  fakeApi({
    "POST /auth/logout": { json: {} },
    "GET /events": () => new Promise<Response>(() => {}),
    "GET /presets": () => new Promise<Response>(() => {}),
  });
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  const storedSession = openStoredSession(ada.id);
  const { store } = temporarySession(storedSession);
  const chat = store.getState().chats.currentChat ?? "";
  store.dispatch(chatEvents.sendMessageWithAiStream({ chat, key: "k", text: "Hello" }));
  render(
    <ChatSessionContext value={storedSession}>
      <Page />
    </ChatSessionContext>,
  );
  act(() => screen.getByRole("button", { name: "Out" }).click());
  expect(await screen.findByRole("alertdialog", { name: "Log out and lose the temporary chat?" })).toBeTruthy();
  expect(localStorage.getItem("access_token")).not.toBeNull();
  await act(async () => screen.getByRole("button", { name: "Log out" }).click());
  expect(localStorage.getItem("access_token")).toBeNull();
});
