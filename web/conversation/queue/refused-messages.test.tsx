import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { currentSession, forgetSession } from "../../accounts/session/session.ts";
import { ada, type FakeAnswer } from "../../testing/fakes/fake-api.ts";
import {
  box,
  eachChatScreenAlone,
  openChatScreen,
  pressButton,
  pressKey,
  storedChat,
  write,
} from "../../testing/open-chat-screen.tsx";
import { DONE, message, start, stream, token } from "../../testing/replies-set-up.ts";
import { draftPrefix } from "../stored-drafts.ts";
import { openStoredSession } from "../stored-session.ts";
import { queueModule } from "./queue-module.ts";
import { refusedDraftKey } from "./queued-draft-keys.ts";

eachChatScreenAlone();

const SEND = "POST /chat/a/send?stream=1";
const REFUSAL: FakeAnswer = { status: 400, text: "Not today." };
const submit = async (text: string) => {
  write(text);
  await pressKey("Enter");
};
const main = () => within(screen.getByRole("main"));
/** Returns the texts of the messages, with their notices. */
const messages = () => {
  const region = screen.queryByRole("region", { name: "Conversation" });
  return [...(region?.querySelectorAll("ol > li") ?? [])].map(({ textContent }) => textContent);
};
const pressEdit = () =>
  act(async () => {
    const item = screen.getByText("Not sent").closest("li");
    fireEvent.click(within(item ?? document.body).getByRole("button", { name: "Edit" }));
  });
const unsent = (text: string) => expect.stringMatching(new RegExp(`${text}.*Not sent.*Try again.*Edit`));
const sentOf = (sent: Awaited<ReturnType<typeof openChatScreen>>) =>
  sent()
    .filter(([call]) => call === SEND)
    .map(([, body]) => Object(body));

/** Opens chat `a`, in which the server answers the sends in this order; a null stores the question and its answer. */
async function open(answers: readonly (FakeAnswer | null)[], stored: Message[] = [], path = "/chat?c=a") {
  await queueModule.load();
  const store = ({ body }: { body: unknown }) => {
    const nth = stored.length;
    const { message: text } = Object(body);
    stored.push(message(`q${nth}`, "user", text), message(`r${nth}`, "assistant", `Answer to ${text}`));
    return stream(start(0, `r${nth}`), token(`Answer to ${text}`, `Answer to ${text}`.length), DONE);
  };
  const sent = await openChatScreen(path, {
    "GET /chat/a": () => Response.json(storedChat("a", ...stored).json),
    "POST /chat": { status: 201, json: { id: "a", title: "New chat", updatedAt: 1, messages: [] } },
    [SEND]: answers.map((answer) => answer ?? store),
  });
  if (stored.length > 0) await vi.waitFor(() => expect(messages()).toHaveLength(stored.length));
  return () => sentOf(sent);
}
const turn = () => [message("q0", "user", "A question"), message("r0", "assistant", "An answer")];

test("a refused question stays in the chat, marked as not sent, and is sent by Try again", async () => {
  const sent = await open([REFUSAL, null], turn());
  await submit("Hello");
  expect((await main().findByRole("alert")).textContent).toBe("Not today.");
  expect(messages()).toEqual([expect.anything(), expect.anything(), unsent("Hello")]);
  expect(screen.queryByText("Thinking...")).toBeNull();
  expect(box().value).toBe("");
  await pressButton("Try again");
  await vi.waitFor(() => expect(messages().at(-1)).toContain("Answer to Hello"));
  await vi.waitFor(() => expect(messages()).toHaveLength(4));
  expect(main().queryByRole("alert")).toBeNull();
  expect(sent()).toEqual([
    { message: "Hello", parent: "r0" },
    { message: "Hello", parent: "r0" },
  ]);
  expect(Object.values(localStorage).join()).not.toContain("Hello");
});

test("the first question of a chat stays in it if it is refused, and after a reload", async () => {
  const sent = await open([REFUSAL], [], "/chat");
  await submit("Hello");
  await vi.waitFor(() => expect(messages()).toEqual([unsent("Hello")]));
  cleanup();
  forgetSession();
  const later = await open([null]);
  await vi.waitFor(() => expect(messages()).toEqual([unsent("Hello")]));
  expect(box().value).toBe("");
  await pressButton("Try again");
  await vi.waitFor(() => expect(messages().at(-1)).toContain("Answer to Hello"));
  expect([...sent(), ...later()].map(({ message: text }) => text)).toEqual(["Hello", "Hello"]);
});

test("Edit moves a refused question to the box, above the text there", async () => {
  const sent = await open([REFUSAL], turn());
  await submit("Hello");
  await screen.findByText("Not sent");
  write("And more");
  await pressEdit();
  expect(box().value).toBe("Hello\n\nAnd more");
  expect(messages()).toHaveLength(2);
  expect(screen.queryByText("Not sent")).toBeNull();
  expect(sent()).toHaveLength(1);
});

test("a refused question keeps its position when another one is sent, and both are kept if both are refused", async () => {
  await open([REFUSAL, null, REFUSAL], turn());
  await submit("First");
  await screen.findByText("Not sent");
  await submit("Second");
  await vi.waitFor(() => expect(messages().at(-1)).toContain("Answer to Second"));
  await submit("Third");
  await vi.waitFor(() => expect(screen.getAllByText("Not sent")).toHaveLength(2));
  const [, , first, second, , third] = messages();
  expect([first, second, third]).toEqual([unsent("First"), expect.stringContaining("Second"), unsent("Third")]);
});

test("a refused question of a temporary chat stays in it, and stores nothing in the browser", async () => {
  await queueModule.load();
  const answer = () => stream(start(0, "r1"), token("An answer", 9), DONE);
  await openChatScreen("/chat?temporary=1", { "POST /temporary/reply": [REFUSAL, answer] });
  await screen.findByPlaceholderText("Message ChatGPT...");
  await submit("About a quokka");
  await vi.waitFor(() => expect(messages()).toEqual([unsent("About a quokka")]));
  expect(JSON.stringify({ ...localStorage })).not.toContain("quokka");
  await pressButton("Try again");
  await vi.waitFor(() => expect(messages().at(-1)).toContain("An answer"));
  expect(messages()).toHaveLength(2);
});

/** Refuses a message, because another device has continued its chat meanwhile. */
const movedBy = (stored: Message[]) => () => {
  stored.push(message("q9", "user", "From elsewhere"), message("r9", "assistant", "Its answer"));
  return Response.json({ detail: "x", error: "x", code: "conversation-moved" }, { status: 409 });
};

test("a question that is refused because its chat has newer messages can begin a branch", async () => {
  const stored = turn();
  const sent = await open([movedBy(stored), null], stored);
  await submit("Hello");
  expect(await screen.findByText("From elsewhere")).toBeTruthy();
  expect(messages()[2]).toEqual(unsent("Hello"));
  await pressButton("Send as a branch");
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).toEqual({ message: "Hello", parent: "r0", branch: true });
  await vi.waitFor(() => expect(screen.queryByText("Not sent")).toBeNull());
});

test("the banner sends its own question as a branch, not the one that another tab has added since", async () => {
  const stored = turn();
  const sent = await open([movedBy(stored), null], stored);
  await submit("Hello");
  await screen.findByText("Not sent");
  const key = `${draftPrefix(ada.id)}${refusedDraftKey("a", Date.now() + 60_000, "other")}`;
  localStorage.setItem(key, "By another tab");
  await act(async () => window.dispatchEvent(new StorageEvent("storage", { key, newValue: "By another tab" })));
  await vi.waitFor(() => expect(screen.getAllByText("Not sent")).toHaveLength(2));
  await pressButton("Send as a branch");
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).toEqual({ message: "Hello", parent: "r0", branch: true });
});

test("a question that was not answered keeps its key through Edit, so that it is stored once", async () => {
  const keys: (string | null)[] = [];
  let isReadable = true;
  const stored = turn();
  await queueModule.load();
  await openChatScreen("/chat?c=a", {
    "GET /chat/a": () =>
      isReadable ? Response.json(storedChat("a", ...stored).json) : Response.json({}, { status: 500 }),
    [SEND]: ({ headers }) => {
      keys.push(headers.get("idempotency-key"));
      return new Response("<html>Bad Gateway</html>", { status: 502 });
    },
  });
  await vi.waitFor(() => expect(messages()).toHaveLength(2));
  isReadable = false;
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  await submit("Hello");
  expect((await main().findByRole("alert")).textContent).toBe("HTTP 502");
  expect(messages()[2]).toContain("Waiting for the connection…");
  await act(async () => void (await vi.advanceTimersByTimeAsync(150_000)));
  await vi.waitFor(() => expect(messages()[2]).toEqual(unsent("Hello")));
  expect(main().getByRole("alert").textContent).toBe("HTTP 502");
  await pressEdit();
  await pressKey("Enter");
  await vi.waitFor(() => expect(messages()[2]).toContain("Waiting for the connection…"));
  expect(new Set(keys).size).toBe(1);
});

/** Refuses a message for its frequency: it may be repeated after `seconds`. */
const limited = (seconds: number) => () =>
  new Response(JSON.stringify({ detail: "x", error: "x", code: "too-many-requests" }), {
    status: 429,
    headers: { "retry-after": String(seconds) },
  });

test("a question that came too often counts down, and is sent when the server allows it", async () => {
  const sent = await open([limited(20), null], turn());
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  await submit("Hello");
  await vi.waitFor(() => expect(messages()[2]).toContain("Not sent"));
  expect(main().getByRole("alert").textContent).toBe("Too many requests. Please wait 20 seconds.");
  expect(messages()[2]).toContain("Next attempt in 20 seconds");
  await act(async () => void (await vi.advanceTimersByTimeAsync(5000)));
  expect(messages()[2]).toMatch(/Next attempt in 1[45] seconds/);
  expect(sent()).toHaveLength(1);
  await act(async () => void (await vi.advanceTimersByTimeAsync(15_000)));
  await vi.waitFor(() => expect(messages()).toHaveLength(4));
  expect(sent()).toHaveLength(2);
  expect(main().queryByRole("alert")).toBeNull();
});

test("a question that is repeated by itself goes to the model that it was sent to", async () => {
  const sent = await open([limited(20), null], turn());
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  await submit("Hello");
  await vi.waitFor(() => expect(messages()[2]).toContain("Not sent"));
  const { modelChoice } = openStoredSession(currentSession().user?.id ?? "");
  await act(async () => modelChoice.choose("LOCAL:llama3"));
  await act(async () => void (await vi.advanceTimersByTimeAsync(20_000)));
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  const [first, second] = sent().map(({ model }) => model);
  expect(second).toBe(first);
});

test("a question is repeated by itself three times at most, and not after Cancel", async () => {
  const sent = await open([limited(1)], turn());
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  await submit("Hello");
  await act(async () => void (await vi.advanceTimersByTimeAsync(30_000)));
  expect(sent()).toHaveLength(4);
  expect(messages()[2]).toEqual(unsent("Hello"));
  await pressButton("Try again");
  await vi.waitFor(() => expect(messages()[2]).toContain("Next attempt in 1 second"));
  await pressButton("Cancel");
  await act(async () => void (await vi.advanceTimersByTimeAsync(30_000)));
  expect(sent()).toHaveLength(5);
  expect(messages()[2]).toEqual(unsent("Hello"));
});

test("a question that would have to wait longer than two minutes is not repeated by itself", async () => {
  await open([limited(121)], turn());
  await submit("Hello");
  await vi.waitFor(() => expect(messages()[2]).toEqual(unsent("Hello")));
  expect(screen.queryByText(/Next attempt/)).toBeNull();
});
