import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signOut } from "../../accounts/session/session.ts";
import { openChat } from "../../chats/state/chats-thunks.ts";
import { fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { runLatestAction } from "../../ui/notifications/notify.ts";
import { filesModule } from "../attachments/files-module.ts";
import { ChatSessionContext } from "../chat-session.ts";
import { editOf } from "../stored-drafts.ts";
import { openStoredSession } from "../stored-session.ts";
import { EditBox } from "./edit-box.tsx";

beforeEach(() => localStorage.clear());
afterEach(async () => {
  cleanup();
  await signOut();
  vi.unstubAllGlobals();
});

const file = (name: string, seq: number) => ({
  ...{ seq, at: 0, kind: "file", id: `id-of-${name}`, name, type: "text/plain", size: 5 },
});
const message = (id: string, role: "user" | "assistant", content: string, parts: object[] = []) => ({
  ...{ id, role, content, state: "complete", parent: null, model: null, createdAt: 1 },
  ...(parts.length > 0 && { parts }),
});
const DRAFT_KEY = editOf("a", "q1");

/** Opens the box that edits question `q1`. `answer`: that to the request. */
async function open(content: string, files: string[], answer: Parameters<typeof fakeApi>[0][string] = DONE) {
  const messages = [message("q1", "user", content, files.map(file)), message("r1", "assistant", "Answer")];
  const calls = fakeApi({
    "GET /chat/a": { json: { id: "a", title: "T", updatedAt: 1, messages } },
    "POST /chat/a/send?stream=1": answer,
  });
  const session = openStoredSession("");
  await session.store.dispatch(openChat("a"));
  session.branches?.edits.begin("a", "q1");
  const onEnd = vi.fn();
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <EditBox chat="a" message="q1" content={content} onEnd={onEnd} />
      </Provider>
    </ChatSessionContext>,
  );
  const bodies = () => calls.filter(({ method }) => method === "POST").map(({ body }) => body);
  return { ...session, calls, bodies, onEnd };
}
const DONE = { text: 'data: {"reply":"r2","at":0}\n\ndata: [DONE]\n\n' };

const box = () => screen.getByRole<HTMLTextAreaElement>("textbox");
const send = () => act(async () => fireEvent.click(screen.getByRole("button", { name: "Send" })));
const removeButton = (name: string) => screen.findByRole("button", { name: `Remove ${name}` });

test("an edited question keeps its files in the new branch", async () => {
  const { bodies, drafts } = await open("Compare", ["a.txt", "b.txt"]);
  await removeButton("a.txt");
  fireEvent.change(box(), { target: { value: "Compare them" } });
  await send();
  await vi.waitFor(() =>
    expect(bodies()).toEqual([
      { message: "Compare them", files: ["id-of-a.txt", "id-of-b.txt"], parent: null, branch: true },
    ]),
  );
  await vi.waitFor(() => expect(drafts.get(DRAFT_KEY).isUntouched).toBe(true));
  expect(localStorage).toHaveLength(0);
});

test("the files of an edited question can be removed, and stay in the old branch without a deletion", async () => {
  const { bodies, calls } = await open("Compare", ["a.txt", "b.txt"]);
  const button = await removeButton("a.txt");
  act(() => fireEvent.click(button));
  await send();
  await vi.waitFor(() => expect(bodies()).toMatchObject([{ message: "Compare", files: ["id-of-b.txt"] }]));
  expect(calls.map(({ method }) => method).filter((method) => method !== "GET")).toEqual(["POST"]);
});

test("the removal of a file from an edit can be undone until the edit is sent", async () => {
  const { drafts, bodies } = await open("Compare", ["a.txt", "b.txt"]);
  const [first, second] = [await removeButton("a.txt"), await removeButton("b.txt")];
  act(() => fireEvent.click(first));
  act(() => void runLatestAction());
  expect(drafts.get(DRAFT_KEY).fileIds).toEqual(["id-of-a.txt", "id-of-b.txt"]);
  act(() => fireEvent.click(second));
  await send();
  await vi.waitFor(() => expect(bodies()).toMatchObject([{ files: ["id-of-a.txt"] }]));
  act(() => void runLatestAction());
  await vi.waitFor(() => expect(drafts.get(DRAFT_KEY).isUntouched).toBe(true));
  expect(drafts.hasAny()).toBe(false);
});

test("a question without text can be sent again; without files too it cannot", async () => {
  const { bodies } = await open("", ["a.txt"]);
  const button = await removeButton("a.txt");
  const sendButton = screen.getByRole<HTMLButtonElement>("button", { name: "Send" });
  expect(sendButton.disabled).toBe(false);
  act(() => fireEvent.click(button));
  expect(sendButton.disabled).toBe(true);
  fireEvent.change(box(), { target: { value: "Words" } });
  await send();
  await vi.waitFor(() => expect(bodies()).toEqual([{ message: "Words", parent: null, branch: true }]));
});

test("text typed into an edit before the module of files is loaded loses no file", async () => {
  vi.spyOn(filesModule, "get").mockReturnValue(undefined);
  const { drafts, bodies } = await open("Compare", ["a.txt"]);
  fireEvent.change(box(), { target: { value: "Compare it" } });
  expect(drafts.get(DRAFT_KEY)).toMatchObject({ text: "Compare it", fileIds: ["id-of-a.txt"] });
  await send();
  await vi.waitFor(() => expect(bodies()).toMatchObject([{ message: "Compare it", files: ["id-of-a.txt"] }]));
  vi.restoreAllMocks();
});

test("a refused edit stays in its box with its files", async () => {
  const { drafts } = await open("Compare", ["a.txt"], problem(409, "quota-reached"));
  await removeButton("a.txt");
  fireEvent.change(box(), { target: { value: "Compare it" } });
  await send();
  await vi.waitFor(() => expect(drafts.get(DRAFT_KEY)).toMatchObject({ text: "Compare it", fileIds: ["id-of-a.txt"] }));
});

test("an edit of a question without files stores nothing until it is changed", async () => {
  const { drafts, onEnd } = await open("Hello", []);
  expect(drafts.get(DRAFT_KEY).isUntouched).toBe(true);
  fireEvent.change(box(), { target: { value: "Hello!" } });
  expect(drafts.get(DRAFT_KEY).text).toBe("Hello!");
  fireEvent.keyDown(box(), { key: "Escape" });
  expect(onEnd).toHaveBeenCalledOnce();
  expect(drafts.get(DRAFT_KEY).isUntouched).toBe(true);
});
