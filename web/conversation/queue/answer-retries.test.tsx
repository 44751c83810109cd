import { act, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { currentSession } from "../../accounts/session/session.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { refreshChat } from "../../chats/state/chats-thunks.ts";
import type { FakeAnswer } from "../../testing/fakes/fake-api.ts";
import {
  eachChatScreenAlone,
  openChatScreen,
  pressButton,
  pressKey,
  storedChat,
  write,
} from "../../testing/open-chat-screen.tsx";
import { DONE, event, message, start, stream, token } from "../../testing/replies-set-up.ts";
import { openStoredSession } from "../stored-session.ts";
import { queueModule } from "./queue-module.ts";

eachChatScreenAlone();

const QUESTION = message("q", "user", "A question");
const SEND = "POST /chat/a/send?stream=1";
const ANSWER = "POST /chat/a/reply";

/** The provider refuses the answer for its frequency: it may be repeated after `seconds`. */
const busy = (seconds: number, ...before: string[]) => {
  const failure = { error: "x", code: "assistant-busy", retryAfterMs: seconds * 1000 };
  return () => stream(start(0, "r"), ...before, event(failure), DONE);
};
const answered = () => stream(start(0, "r2"), token("Here", 4), DONE);

/**
 * Opens chat `a`, in which the server answers the sends and the requested replies in this order. `stored`: what the
 * chat has after a send. `before`: what it has before.
 */
async function open(
  answers: { sends?: FakeAnswer[]; replies?: FakeAnswer[] },
  stored: Message[] = [QUESTION],
  before: Message[] = [],
) {
  await queueModule.load();
  let isAsked = false;
  const sends = (answers.sends ?? [busy(20)]).map(
    (answer): FakeAnswer =>
      (call) => {
        isAsked = true;
        return typeof answer === "function" ? answer(call) : Response.json(answer);
      },
  );
  const sent = await openChatScreen("/chat?c=a", {
    "GET /chat/a": () => Response.json(storedChat("a", ...(isAsked ? stored : before)).json),
    [SEND]: sends,
    [ANSWER]: answers.replies ?? [answered],
  });
  await screen.findByPlaceholderText("Message ChatGPT...");
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  await submit("A question");
  return () => sent().flatMap(([call, body]) => (call === ANSWER ? [Object(body)] : []));
}
const submit = async (text: string) => {
  write(text);
  await pressKey("Enter");
};
const pass = (seconds: number) => act(async () => void (await vi.advanceTimersByTimeAsync(seconds * 1000)));
const list = () => screen.getByRole("region", { name: "Conversation" });
const countdown = () => within(list()).queryByText(/^Next attempt in /);
const isCounting = () => vi.waitFor(() => expect(countdown()).not.toBeNull());
const session = () => openStoredSession(currentSession().user?.id ?? "");

test("a failed answer counts down beside its Retry until its provider allows it, and is repeated once", async () => {
  const stored = [QUESTION];
  const here = () => {
    stored.push(message("r2", "assistant", "Here"));
    return answered();
  };
  const asked = await open({ replies: [here] }, stored);
  await isCounting();
  expect(countdown()?.textContent).toMatch(/^Next attempt in (1\d|20) seconds$/);
  expect(countdown()?.closest("[role=status], [role=alert], [role=log], [aria-live]")).toBeNull();
  expect(within(list()).getByRole("button", { name: "Retry" })).toBeTruthy();
  await pass(5);
  expect(countdown()?.textContent).toMatch(/in (\d|1[0-5]) seconds$/);
  expect(asked()).toEqual([]);
  await pass(15);
  await vi.waitFor(() => expect(screen.getByText("Here", { ignore: "[role=log] *" })).toBeTruthy());
  expect(asked()).toEqual([{ mode: "retry", parent: "q" }]);
  expect(countdown()).toBeNull();
  expect(within(screen.getByRole("main")).queryByRole("alert")).toBeNull();
  await pass(60);
  expect(asked()).toHaveLength(1);
});

test("the countdown stands at the last message only", async () => {
  const before = [message("q0", "user", "Before"), message("r0", "assistant", "Its answer")];
  await open({}, [...before, QUESTION], before);
  await isCounting();
  expect(within(list()).getAllByRole("button", { name: "Cancel" })).toHaveLength(1);
});

test("a failed answer is repeated by the model that was asked, not by the one that is chosen now", async () => {
  const asked = await open({});
  await isCounting();
  await act(async () => session().modelChoice.choose("LOCAL:llama3"));
  await pass(20);
  expect(asked()).toEqual([{ mode: "retry", parent: "q" }]);
});

test("Retry asks at once, and nothing is repeated after it", async () => {
  const asked = await open({});
  await isCounting();
  await pressButton("Retry");
  await vi.waitFor(() => expect(asked()).toHaveLength(1));
  await pass(60);
  expect(asked()).toHaveLength(1);
});

test("Cancel ends the countdown, and Retry stays", async () => {
  const asked = await open({});
  await isCounting();
  await pressButton("Cancel");
  expect(countdown()).toBeNull();
  await pass(60);
  expect(asked()).toEqual([]);
  expect(within(list()).getByRole("button", { name: "Retry" })).toBeTruthy();
});

test("an answer is repeated three times at most, each time after the wait of its last failure", async () => {
  const asked = await open({ replies: [busy(30)] });
  await isCounting();
  await pass(20);
  await isCounting();
  expect(asked()).toHaveLength(1);
  await pass(25);
  expect(asked()).toHaveLength(1);
  await pass(120);
  expect(asked()).toHaveLength(3);
  expect(countdown()).toBeNull();
});

test("an answer that would have to wait longer than two minutes is not repeated", async () => {
  const asked = await open({ sends: [busy(121)] });
  await vi.waitFor(() => expect(within(list()).getByRole("button", { name: "Retry" })).toBeTruthy());
  expect(countdown()).toBeNull();
  await pass(130);
  expect(asked()).toEqual([]);
});

test("an answer that has failed after its first words is continued", async () => {
  const cut = { ...message("r", "assistant", "One two", "failed"), code: "assistant-busy" };
  const asked = await open({ sends: [busy(20, token("One two", 7))] }, [QUESTION, cut]);
  await isCounting();
  await pass(20);
  expect(asked()).toEqual([{ mode: "continue", parent: "r" }]);
});

test("an answer is not repeated after another message was sent in its chat", async () => {
  const asked = await open({ sends: [busy(20), answered] });
  await isCounting();
  await submit("Another question");
  await pass(60);
  expect(asked()).toEqual([]);
});

test("an answer is not repeated once its question was answered on another page", async () => {
  const stored = [QUESTION];
  const asked = await open({}, stored);
  await isCounting();
  stored.push(message("r9", "assistant", "From elsewhere"));
  await act(async () => void (await session().store.dispatch(refreshChat("a"))));
  expect(countdown()).toBeNull();
  await pass(60);
  expect(asked()).toEqual([]);
});

test("an answer is not repeated while another version of its question is shown", async () => {
  const stored = [QUESTION];
  const asked = await open({}, stored);
  const read = () => act(async () => void (await session().store.dispatch(refreshChat("a"))));
  await isCounting();
  await read();
  expect(countdown()).not.toBeNull();
  stored.splice(0, 1, message("q0", "user", "An earlier version"));
  await read();
  expect(countdown()).toBeNull();
  await pass(60);
  expect(asked()).toEqual([]);
});

test("an answer is not repeated while the page could not read the id of its question", async () => {
  await queueModule.load();
  let isAsked = false;
  const sent = await openChatScreen("/chat?c=a", {
    "GET /chat/a": () => (isAsked ? new Response("", { status: 503 }) : Response.json(storedChat("a").json)),
    [SEND]: () => {
      isAsked = true;
      return busy(20)();
    },
    [ANSWER]: [answered],
  });
  await screen.findByPlaceholderText("Message ChatGPT...");
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  await submit("A question");
  await isCounting();
  await pass(60);
  expect(sent().filter(([call]) => call === ANSWER)).toEqual([]);
});

test("an answer is not repeated if the wait is over before it could be shown", async () => {
  const asked = await open({ sends: [answered] }, [QUESTION, message("r2", "assistant", "Here", "failed")]);
  await vi.waitFor(() => expect(screen.getByText("Here", { ignore: "[role=log] *" })).toBeTruthy());
  const retry = { at: performance.now() - 1, model: "auto", tries: 0 };
  await act(async () => {
    session().store.dispatch(chatEvents.failStream({ chat: "a", error: "x", isUnsent: false, retry }));
  });
  await pass(60);
  expect(asked()).toEqual([]);
});

test("an answer is repeated while another chat is on the screen, and not after its chat was deleted", async () => {
  const asked = await open({ replies: [busy(20)] });
  await isCounting();
  const { store } = session();
  await act(async () => void store.dispatch(chatEvents.selectChat({ chat: null })));
  await pass(20);
  await vi.waitFor(() => expect(asked()).toHaveLength(1));
  await act(async () => void store.dispatch(chatEvents.deleteChatSuccess({ chat: "a" })));
  await pass(60);
  expect(asked()).toHaveLength(1);
});

test("a page that has only joined a reply does not repeat it", async () => {
  await queueModule.load();
  const writing = { ...message("r", "assistant", "", "writing") };
  const sent = await openChatScreen("/chat?c=a", {
    "GET /chat/a": [storedChat("a", QUESTION, writing), storedChat("a", QUESTION)],
    "GET /chat/a/reply?reply=r&from=0": busy(20),
  });
  await within(screen.getByRole("main")).findByRole("alert");
  expect(countdown()).toBeNull();
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  await pass(60);
  expect(sent()).toEqual([]);
});

test("a temporary answer counts down and is repeated, but one that has words is not replaced", async () => {
  await queueModule.load();
  const sent = await openChatScreen("/chat?temporary=1", {
    "POST /temporary/reply": [busy(20), busy(20, token("One two", 7)), answered],
  });
  await screen.findByPlaceholderText("Message ChatGPT...");
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  await submit("About a quokka");
  await isCounting();
  await pass(20);
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  await vi.waitFor(() => expect(screen.getByText("One two", { ignore: "[role=log] *" })).toBeTruthy());
  expect(countdown()).toBeNull();
  await pass(60);
  expect(sent()).toHaveLength(2);
});
