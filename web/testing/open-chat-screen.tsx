/** For tests: the chat screen of a signed-in person, with a fake server. */

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, beforeEach, vi } from "vitest";
import type { User } from "#contract/accounts/accounts.ts";
import type { Message } from "#contract/conversation/conversation.ts";
import { API_BASE } from "#contract/http.ts";
import { signIn, signOut } from "../accounts/session/session.ts";
import { ChatScreen } from "../conversation/chat-screen.tsx";
import { clearNotifications } from "../ui/notifications/notify.ts";
import { ada, type FakeAnswer, fakeApi, tokenFor } from "./fakes/fake-api.ts";
import "./english-texts.ts";

/** Never answers. */
export const silent: FakeAnswer = () => new Promise<Response>(() => {});

/** Returns the answer for a stored chat. */
export const storedChat = (id: string, ...messages: Message[]) => ({
  json: { id, title: `Chat ${id}`, updatedAt: 1, messages },
});

let address = "";
/** Returns the path and query of the shown page. */
export const chatAddressShown = () => address;

function Address() {
  const { pathname, search } = useLocation();
  address = pathname + search;
  return null;
}

/**
 * Opens the chat screen at a path such as `/chat?c=a`. The account has no chats, models and presets by default; queries
 * of `GET /chat-history` are ignored. Returns the live list of calls that change data, as method, path and body.
 */
export async function openChatScreen(
  path: string,
  answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {},
  user: User = ada,
) {
  signIn({ access_token: tokenFor(user.id), user, emailVerified: true });
  const calls = fakeApi({
    "GET /chat-history": { json: [] },
    "GET /folders": { json: [] },
    "GET /models": { json: [] },
    "GET /presets": { json: [] },
    "GET /events": silent,
    ...answers,
  });
  const answer = fetch;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
    answer(url.startsWith(`${API_BASE}/chat-history?`) ? `${API_BASE}/chat-history` : url, init),
  );
  await act(async () => {
    render(
      <MemoryRouter initialEntries={[path]}>
        <Address />
        <ChatScreen onTitle={() => {}} />
      </MemoryRouter>,
    );
  });
  return () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, path: to, body }) => [`${method} ${to}`, body]);
}

/** The live region of screen readers holds the text of an answer too, for ten seconds. */
const shown = { ignore: "[role=log] *" };
/** Finds the answer that is shown with a text. */
export const findAnswer = (text: string) => screen.findByText(text, shown);
export const queryAnswer = (text: string) => screen.queryByText(text, shown);
export const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>("Message ChatGPT...");
export const write = (text: string) => fireEvent.change(box(), { target: { value: text } });
export const pressButton = (name: string | RegExp) =>
  act(async () => fireEvent.click(screen.getByRole("button", { name })));
export const pressKey = (key: string) => act(async () => void fireEvent.keyDown(box(), { key }));
export const sendButton = () => screen.getByLabelText<HTMLButtonElement>("Send");

/** Registers the clean-up before and after each test; call it at the top of a test file. */
export function eachChatScreenAlone(): void {
  beforeEach(() => {
    localStorage.clear();
    Element.prototype.scrollIntoView = () => {};
  });
  afterEach(async () => {
    cleanup();
    vi.useRealTimers();
    fakeApi({ "POST /auth/logout": { status: 204, text: "" } });
    await signOut();
    clearNotifications();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}
