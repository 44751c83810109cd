import { expect, test } from "vitest";
import { temporaryRequestSchema } from "#contract/conversation/temporary.ts";
import { toFileParts } from "../../chats/state/file-parts.ts";
import { messagesToSend } from "./messages-to-send.ts";

const user = (content: string) => ({ role: "user", content }) as const;
const assistant = (content: string) => ({ role: "assistant", content }) as const;
/** An answer as it is sent, with the groups whose tools it has called. */
const answered = (content: string, ...called: string[]) => ({ ...assistant(content), called });

test("an answer names the groups whose tools it has called with success", () => {
  const called = (seq: number, server: string, state = "succeeded") => ({ seq, at: 0, kind: "tool", server, state });
  const first = { ...assistant("One"), parts: [called(0, "chats"), called(1, "web", "failed"), called(2, "chats")] };
  const second = { ...assistant("Two"), parts: [called(0, "web"), called(1, "")] };
  expect(messagesToSend([user("1"), first, user("2"), second, user(""), first, user("3")])).toEqual([
    user("1"),
    answered("One", "chats"),
    user("2"),
    answered("Two\n\nOne", "web", "chats"),
    user("3"),
  ]);
});

test("a conversation is sent unchanged, up to its last question", () => {
  const said = [user("Who wrote it?"), assistant("Which book?"), user("Independent People")];
  const sent = [user("Who wrote it?"), answered("Which book?"), user("Independent People")];
  expect(messagesToSend(said)).toEqual(sent);
  expect(messagesToSend([...said, assistant("Halldór")])).toEqual(sent);
});

test("questions without answers between them are sent one by one, and the messages are unchanged", () => {
  const said = [user("One"), user("Two"), assistant(" "), user("Three")];
  const before = structuredClone(said);
  const sent = messagesToSend(said);
  expect(sent).toEqual([user("One"), user("Two"), user("Three")]);
  expect(temporaryRequestSchema.safeParse({ messages: sent }).success).toBe(true);
  expect(said).toEqual(before);
});

test("questions have their files, also without a text", () => {
  const file = (id: string) => ({ id, name: `${id}.txt`, type: "text/plain", size: 1 });
  const asked = (content: string, ...ids: string[]) => ({ ...user(content), parts: toFileParts(ids.map(file)) });
  const named = (...ids: string[]) => ids.map((id) => ({ id, name: `${id}.txt`, size: 1 }));
  const said = [asked("", "a"), assistant("I see"), asked("One", "b"), asked("", "c"), user("Two")];
  expect(messagesToSend(said)).toEqual([
    { ...user(""), files: named("a") },
    answered("I see"),
    { ...user("One"), files: named("b") },
    { ...user(""), files: named("c") },
    user("Two"),
  ]);
});

test("the oldest turns that exceed a request are left out", () => {
  const long = "ö".repeat(200_000);
  const said = [user("The first"), assistant(long), user("The second"), assistant(long), user(long), assistant(long)];
  const turns = messagesToSend([...said, user("The last")]);
  expect(turns.map(({ content }) => content.slice(0, 10))).toEqual([long.slice(0, 10), long.slice(0, 10), "The last"]);
  expect(new TextEncoder().encode(JSON.stringify({ messages: turns })).length).toBeLessThan(1024 * 1024);
  expect(temporaryRequestSchema.safeParse({ messages: turns }).success).toBe(true);
});
