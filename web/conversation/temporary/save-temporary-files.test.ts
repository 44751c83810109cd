import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadAuthConfig } from "../../accounts/auth-config.ts";
import { signIn, signOut } from "../../accounts/session/session.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { filesOf, toFileParts } from "../../chats/state/file-parts.ts";
import { localFile } from "../../files/local-files.ts";
import "../../testing/english-texts.ts";
import { ada, type FakeAnswer, type FakeCall, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import { type FakeUpload, fakeUploads } from "../../testing/fakes/fake-uploads.ts";
import { filesModule } from "../attachments/files-module.ts";
import { filesOfSession } from "../attachments/session-files.ts";
import { Draft } from "../draft.ts";
import { openStoredSession } from "../stored-session.ts";
import { saveTemporaryChat } from "./save-temporary-chat.ts";
import { temporarySession } from "./temporary-session.ts";

let calls: FakeCall[] = [];
let uploads: FakeUpload[] = [];

beforeEach(async () => {
  localStorage.clear();
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:picture");
  await filesModule.ask();
});
afterEach(async () => {
  await signOut();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A temporary chat with a question whose files are in memory, and an answer with a notice about one. */
async function begin(answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}) {
  uploads = fakeUploads();
  const config = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true };
  const messages: object[] = [];
  const saved = () => Response.json({ id: "stored", title: "A title", updatedAt: 1, messages: [...messages] });
  const appended = ({ body }: FakeCall) => {
    const { files = [], parts = [], ...said } = body as { files?: string[]; parts?: object[] };
    const named = files.map((id) => ({ id, name: `${id}.txt`, type: "text/plain", size: 1 }));
    const facts = { id: `m${messages.length}`, state: "complete", parent: null, model: null, createdAt: 1 };
    const message = { ...said, ...facts, parts: [...toFileParts(named), ...parts] };
    messages.push(message);
    return Response.json(message, { status: 201 });
  };
  const files = { maxBytes: 1000, maxPerMessage: 3 };
  calls = fakeApi({
    "GET /auth/config": { json: { ...config, files } },
    "POST /auth/logout": { status: 204, text: "" },
    "POST /chat": () => Response.json({ id: "stored", title: "", updatedAt: 1, messages: [] }, { status: 201 }),
    "GET /chat/stored": saved,
    "POST /chat/stored/message": appended,
    "GET /chat-history?limit=100": { json: [] },
    ...answers,
  });
  await loadAuthConfig();
  signIn({ access_token: tokenFor(ada.id), user: ada, emailVerified: true });
  const storedSession = openStoredSession(ada.id);
  const session = temporarySession(storedSession);
  const box = filesOfSession(session).at(null);
  await box.add([new File(["One"], "one.txt", { type: "text/plain" }), new File(["Two"], "two.txt")]);
  await box.settled();
  const attached = box.ready();
  session.drafts.set(null, Draft.empty);
  const [first, second] = attached;
  const chat = session.store.getState().chats.currentChat ?? "";
  const add = (role: "user" | "assistant", content: string, parts: object[]) => {
    const key = `${role}${content}`;
    const message = { key, id: null, role, content, state: "complete", loading: false, parts } as const;
    session.store.dispatch(chatEvents.addMessage({ chat, message: message as never }));
  };
  add("user", "", toFileParts(attached));
  const params = { file: second?.id ?? "", name: "two.txt", received: "none" };
  add("assistant", "I see one.", [{ seq: 0, at: 0, kind: "notice", code: "file", params }]);
  return { session, storedSession, chat, first: first?.id ?? "", second: second?.id ?? "" };
}

async function finish(upload: FakeUpload | undefined) {
  const id = upload?.path.split("/").at(-1);
  upload?.answer(200, { stored: 3, file: { id, name: upload.name, type: "text/plain", size: 3 } });
}
const appended = () => calls.filter(({ path }) => path === "/chat/stored/message").map(({ body }) => body);

test("saved files are uploaded under their ids, then named by their message, with notices of the answer", async () => {
  const { session, storedSession, first, second } = await begin();
  const saving = saveTemporaryChat(session);
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  expect(appended()).toEqual([]);
  await finish(uploads[0]);
  await vi.waitFor(() => expect(uploads).toHaveLength(2));
  await finish(uploads[1]);
  expect(await saving).toBe("stored");
  expect(uploads.map(({ path, name, size }) => [path, name, size])).toEqual([
    [`/files/${first}`, "one.txt", 3],
    [`/files/${second}`, "two.txt", 3],
  ]);
  expect(appended()).toMatchObject([
    { role: "user", content: "", files: [first, second] },
    { role: "assistant", parts: [{ kind: "notice", params: { file: second } }] },
  ]);
  const shown = storedSession.store.getState().chats.conversations.stored?.messages[0] ?? {};
  expect(filesOf(shown).map(({ id }) => id)).toEqual([first, second]);
  expect([localFile(first), localFile(second)]).toEqual([undefined, undefined]);
});

test("a file that the server refuses keeps the temporary chat as it is, and shows the reason", async () => {
  const { session, chat, first } = await begin();
  const saving = saveTemporaryChat(session);
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  const { json } = problem(409, "quota-reached") as { json: unknown };
  uploads[0]?.answer(409, json);
  expect(await saving).toBeNull();
  const { error, conversations } = session.store.getState().chats;
  expect(error?.text).toContain("as large as it can be");
  expect(conversations[chat]?.messages).toHaveLength(2);
  expect(localFile(first)).toBeDefined();
});

test("the files of a temporary chat's draft move to the draft of the saved chat", async () => {
  const { session, storedSession } = await begin();
  await filesOfSession(session)
    .at(null)
    .add([new File(["Next"], "next.txt")]);
  await filesOfSession(session).at(null).settled();
  const saving = saveTemporaryChat(session);
  for (const count of [1, 2]) {
    await vi.waitFor(() => expect(uploads).toHaveLength(count));
    await finish(uploads[count - 1]);
  }
  expect(await saving).toBe("stored");
  expect(storedSession.drafts.get("stored").files).toMatchObject([{ name: "next.txt" }]);
  expect(session.drafts.hasAny()).toBe(false);
  await vi.waitFor(() => expect(uploads).toHaveLength(3));
  expect(uploads[2]?.name).toBe("next.txt");
});
