import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MEGABYTE } from "#contract/limits.ts";
import { loadAuthConfig } from "../../accounts/auth-config.ts";
import { signIn, signOut } from "../../accounts/session/session.ts";
import { selectCurrent } from "../../chats/state/chats-selectors.ts";
import { filesOf } from "../../chats/state/file-parts.ts";
import "../../testing/english-texts.ts";
import { ada, type FakeAnswer, type FakeCall, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import { type FakeUpload, fakeUploads } from "../../testing/fakes/fake-uploads.ts";
import { DONE, endless, start, stream, token } from "../../testing/replies-set-up.ts";
import { readTemporaryBody } from "../../testing/temporary-body.ts";
import { clearNotifications, currentNotifications, runLatestAction } from "../../ui/notifications/notify.ts";
import { moveDraft } from "../attachments/move-draft.ts";
import { filesOfSession } from "../attachments/session-files.ts";
import { ChatSessionContext } from "../chat-session.ts";
import { Composer } from "../composer/composer.tsx";
import { Draft } from "../draft.ts";
import { openStoredSession } from "../stored-session.ts";
import { discardTemporary } from "./leave-temporary.ts";
import { type TemporarySession, temporarySession } from "./temporary-session.ts";

const config = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true };
const SEND = "POST /temporary/reply";

let calls: FakeCall[] = [];
let uploads: FakeUpload[] = [];
let revoked: string[] = [];

beforeEach(() => {
  localStorage.clear();
  let count = 0;
  revoked = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => `blob:${++count}`);
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void revoked.push(url));
});
afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  clearNotifications();
  await signOut();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const answered: FakeAnswer = () => stream(start(), token("I see.", 6), DONE);

async function open(answers: FakeAnswer | FakeAnswer[] = answered, more: Record<string, FakeAnswer> = {}) {
  uploads = fakeUploads();
  calls = fakeApi({
    "GET /auth/config": { json: { ...config, files: { maxBytes: 20 * MEGABYTE, maxPerMessage: 3 } } },
    "GET /models": { json: [] },
    "POST /auth/logout": { status: 204, text: "" },
    [SEND]: answers,
    ...more,
  });
  await loadAuthConfig();
  signIn({ access_token: tokenFor(ada.id), user: ada, emailVerified: true });
  const storedSession = openStoredSession(ada.id);
  const session = temporarySession(storedSession);
  await session.modelChoice.load();
  return { session, storedSession };
}

const chatOf = ({ store }: TemporarySession) => store.getState().chats.currentChat ?? "";
const messagesOf = ({ store }: TemporarySession) => selectCurrent(store.getState())?.messages ?? [];

function show(session: TemporarySession) {
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>
          <Composer chat={chatOf(session)} isWaiting={false} isWriting={false} canRest={false} />
        </MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
  return act(() => vi.dynamicImportSettled());
}

const file = (name: string, content = `Content of ${name}`, type = "text/plain") => new File([content], name, { type });

async function choose(...files: File[]) {
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("There is no picker");
  Object.defineProperty(input, "files", { configurable: true, value: files });
  await act(async () => void fireEvent.change(input));
  await act(() => vi.dynamicImportSettled());
}

const send = () => screen.getByRole<HTMLButtonElement>("button", { name: "Send" });
const sent = () => calls.filter(({ path }) => path === "/temporary/reply");
const bodies = () => Promise.all(sent().map(({ body }) => readTemporaryBody(body)));
const isIdle = (session: TemporarySession) =>
  waitFor(() => expect(selectCurrent(session.store.getState())?.isWriting).toBe(false));

async function write(text: string) {
  fireEvent.change(screen.getByRole("textbox"), { target: { value: text } });
  await act(async () => void fireEvent.click(send()));
}

describe("files of a temporary chat", () => {
  test("files of a temporary chat are sent with each question, and are neither uploaded nor stored", async () => {
    const { session } = await open();
    await show(session);
    await choose(file("a.txt"), file("b.md", "B"));
    await write("Look");
    await waitFor(() => expect(sent()).toHaveLength(1));
    await isIdle(session);
    await write("And further?");
    await waitFor(() => expect(sent()).toHaveLength(2));
    const [first, second] = await bodies();
    expect(sent()[0]?.headers.get("content-type")).toBe("application/octet-stream");
    const [question] = first?.request.messages ?? [];
    expect(question).toMatchObject({
      content: "Look",
      files: [
        { name: "a.txt", size: 16 },
        { name: "b.md", size: 1 },
      ],
    });
    expect(second?.request.messages.map(({ content }) => content)).toEqual(["Look", "I see.", "And further?"]);
    expect(second?.request.messages[0]?.files).toEqual(question?.files);
    expect([first?.bytes, second?.bytes]).toEqual(["Content of a.txtB", "Content of a.txtB"]);
    expect(filesOf(messagesOf(session)[0] ?? {}).map(({ name }) => name)).toEqual(["a.txt", "b.md"]);
    expect(uploads).toEqual([]);
    expect(JSON.stringify({ ...localStorage })).not.toMatch(/a\.txt|Content of/);
  });

  test("files of a temporary chat are sent again with another answer to the last question", async () => {
    const { session } = await open();
    await show(session);
    await choose(file("a.txt"));
    await act(async () => void fireEvent.click(send()));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await isIdle(session);
    await session.replies.answer(chatOf(session), "regenerate", "auto");
    const [first, second] = await bodies();
    expect(second).toEqual(first);
  });

  test("files of a temporary chat return to the box if the server refuses one, which shows the reason", async () => {
    let refused = "";
    const refusing: FakeAnswer = async ({ body }) => {
      const { request } = await readTemporaryBody(body);
      refused = request.messages[0]?.files?.[1]?.id ?? "";
      const answer = problem(415, "file-type", { file: refused }) as { status: number; json: unknown };
      return Response.json(answer.json, { status: answer.status });
    };
    const { session } = await open([refusing, answered]);
    await show(session);
    await choose(file("a.txt"), file("b.exe", "MZ", ""));
    await write("Look");
    await waitFor(() =>
      expect(currentNotifications()[0]?.text).toMatch(/^Not attached:\nb\.exe: Files of this kind cannot be attached/),
    );
    expect(screen.getByRole("textbox")).toHaveProperty("value", "Look");
    expect(screen.queryByRole("button", { name: "Remove b.exe" })).toBeNull();
    expect(messagesOf(session)).toEqual([]);
    expect(sent()).toHaveLength(1);
    await act(async () => void fireEvent.click(send()));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect((await bodies())[1]?.bytes).toBe("Content of a.txt");
  });

  test("files of a temporary chat cannot be sent above 20 MB in all, which is shown before", async () => {
    const { session } = await open();
    await show(session);
    const large = (name: string) => file(name, "x".repeat(8 * MEGABYTE));
    await choose(large("a.txt"), large("b.txt"));
    await act(async () => void fireEvent.click(send()));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await isIdle(session);
    await choose(large("c.txt"));
    expect(await screen.findByText(/can have 20 MB in all/)).toBeTruthy();
    expect(send().disabled).toBe(true);
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter" });
    expect(sent()).toHaveLength(1);
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Remove c.txt" })));
    expect(screen.queryByText(/can have 20 MB in all/)).toBeNull();
    expect(send().disabled).toBe(true);
  });

  test("files of a temporary chat that are being sent return to the box with Stop", async () => {
    let aborted = false;
    const { session } = await open(({ signal }) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      signal?.addEventListener("abort", () => {
        aborted = true;
        reject(signal.reason);
      });
      return promise;
    });
    await show(session);
    await choose(file("a.txt"));
    await write("Look");
    await waitFor(() => expect(sent()).toHaveLength(1));
    await act(() => session.replies.stop(chatOf(session)));
    await waitFor(() => expect(session.drafts.get(null).files).toHaveLength(1));
    expect([aborted, messagesOf(session), session.drafts.get(null).text]).toEqual([true, [], "Look"]);
  });

  test("sending files of a temporary chat may take minutes and is not shown as a wait for the server", async () => {
    const { session } = await open(() => new Promise(() => {}));
    await show(session);
    await choose(file("a.txt"));
    vi.useFakeTimers();
    fireEvent.click(send());
    await vi.waitFor(() => expect(sent()).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toHaveLength(1);
    expect(sent()[0]?.signal?.aborted).toBe(false);
    expect(selectCurrent(session.store.getState())?.waitReason ?? null).toBeNull();
  });

  test("screen readers announce files of a temporary chat as attached, not as uploaded", async () => {
    const { session } = await open();
    await show(session);
    await choose(file("a.txt"));
    expect(await screen.findByText("a.txt attached")).toBeTruthy();
  });

  test("files of a discarded chat are freed after some time, and not if the discard is undone", async () => {
    const { session } = await open();
    await show(session);
    const photo = file("a.png", "picture", "image/png");
    await choose(photo);
    await act(async () => void fireEvent.click(send()));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await isIdle(session);
    const [id = ""] = filesOf(messagesOf(session)[0] ?? {}).map((one) => one.id);
    const files = filesOfSession(session);
    vi.useFakeTimers();
    act(() => discardTemporary(session));
    vi.advanceTimersByTime(9000);
    act(() => void runLatestAction());
    vi.advanceTimersByTime(60_000);
    expect(await files.bytesOf(id)).not.toBeNull();
    act(() => discardTemporary(session));
    vi.advanceTimersByTime(14_000);
    expect(await files.bytesOf(id)).not.toBeNull();
    expect(revoked).toEqual([]);
    vi.advanceTimersByTime(2000);
    expect(await files.bytesOf(id)).toBeNull();
    // Of the draft, and of the message.
    expect(revoked).toHaveLength(2);
  });

  test("files of a temporary chat are freed at the end of the session", async () => {
    const { session } = await open();
    const files = filesOfSession(session);
    await files.at(null).add([file("a.txt")]);
    await files.at(null).settled();
    const [id = ""] = session.drafts.get(null).fileIds;
    await signOut();
    expect(await files.bytesOf(id)).toBeNull();
  });
});

describe("drafts with files", () => {
  const settled = (session: Parameters<typeof filesOfSession>[0]) => filesOfSession(session).at(null).settled();

  test("a draft with files moves into a temporary chat and back, and its upload is removed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { session, storedSession } = await open(answered);
    const stored = filesOfSession(storedSession);
    storedSession.drafts.set(null, new Draft("Words"));
    await stored.at(null).add([file("a.txt")]);
    moveDraft(storedSession, null, session);
    expect([storedSession.drafts.get(null).text, session.drafts.get(null).text]).toEqual(["", "Words"]);
    await vi.waitFor(() => expect(session.drafts.get(null).files).toHaveLength(1));
    await vi.waitFor(() => expect(storedSession.drafts.get(null).files).toEqual([]));
    expect(await settled(session)).toEqual(session.drafts.get(null).fileIds);
    moveDraft(session, null, storedSession);
    await vi.waitFor(() => expect(storedSession.drafts.get(null).files).toMatchObject([{ name: "a.txt" }]));
    await vi.waitFor(() => expect(session.drafts.get(null).isUntouched).toBe(true));
    const [id = ""] = storedSession.drafts.get(null).fileIds;
    expect(await (await stored.bytesOf(id))?.text()).toBe("Content of a.txt");
  });

  test("a draft with files stays where it is if there is a draft already", async () => {
    const { session, storedSession } = await open();
    await filesOfSession(storedSession)
      .at(null)
      .add([file("a.txt")]);
    session.drafts.set(null, new Draft("Mine"));
    moveDraft(storedSession, null, session);
    await act(() => vi.dynamicImportSettled());
    expect(session.drafts.get(null).files).toEqual([]);
    expect(storedSession.drafts.get(null).files).toHaveLength(1);
  });
});

test("a queued question of a temporary chat has its files", async () => {
  const held = endless(start(), token("One", 3));
  const { session } = await open([() => held.response, answered]);
  const chat = chatOf(session);
  void session.replies.send(chat, "First", "auto");
  await waitFor(() => expect(selectCurrent(session.store.getState())?.isWriting).toBe(true));
  await filesOfSession(session)
    .at(chat)
    .add([file("a.txt")]);
  await filesOfSession(session).at(chat).settled();
  const { queueOf } = await import("../queue/queued-messages.tsx");
  expect(queueOf(session).enqueue(chat)).toBe(true);
  held.end(DONE);
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect((await readTemporaryBody(sent()[1]?.body)).bytes).toBe("Content of a.txt");
});
