import { expect, test } from "vitest";
import { authConfigSchema, signedInSchema, userSchema, verifiedSchema } from "#contract/accounts/accounts.ts";
import { chatHistorySchema } from "#contract/conversation/chats.ts";
import { chatSchema } from "#contract/conversation/conversation.ts";
import { completeAnswer } from "./complete-answer.ts";

const user = { username: "ada" };
const chat = { id: "1", messages: [{ role: "user", content: "Hello" }] };

test.each([
  ["the configuration", "/auth/config", authConfigSchema, {}],
  ["a sign-in", "/auth/login", signedInSchema, { access_token: "t", user }],
  ["a sign-in with Google", "/auth/google", signedInSchema, { access_token: "t", user }],
  ["a verification", "/auth/users/verify", verifiedSchema, { access_token: "t", user }],
  ["the user", "/auth/me", userSchema, user],
  ["the history", "/chat-history?limit=100", chatHistorySchema, [{ id: "1", title: "A chat" }]],
  ["a chat", "/chat/1", chatSchema, chat],
  ["a new chat", "/chat", chatSchema, { id: "1" }],
])("%s needs only the fields of the specification", (_, path, schema, answer) => {
  expect(schema.safeParse(completeAnswer(path, answer))).toMatchObject({ success: true, data: answer });
});

test.each([
  ["/auth/login", signedInSchema, { access_token: "t", user: {} }],
  ["/auth/login", signedInSchema, { user }],
  ["/auth/config", authConfigSchema, "<html>A captive portal</html>"],
  ["/chat-history", chatHistorySchema, { error: "No" }],
  ["/chat/1", chatSchema, "<html>A captive portal</html>"],
])("an answer of %s without a field of the specification is not completed", (path, schema, answer) => {
  expect(schema.safeParse(completeAnswer(path, answer)).success).toBe(false);
});

test("chats without a time keep the order of the answer", () => {
  const list = ["c", "a", "b"].map((id) => ({ id, title: id }));
  const completed = chatHistorySchema.parse(completeAnswer("/chat-history", list));
  expect(completed.map(({ id }) => id)).toEqual(["c", "a", "b"]);
  expect(new Set(completed.map(({ updatedAt }) => updatedAt)).size).toBe(1);
});
