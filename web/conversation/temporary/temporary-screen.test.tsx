import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import {
  eachChatScreenAlone,
  findAnswer,
  openChatScreen,
  pressButton,
  pressKey,
  queryAnswer,
  write,
} from "../../testing/open-chat-screen.tsx";
import { DONE, start, stream, token } from "../../testing/replies-set-up.ts";

eachChatScreenAlone();

const answer = (text: string, reply: string) => () => stream(start(0, reply), token(text, text.length), DONE);
const ask = async (text: string) => {
  write(text);
  await pressKey("Enter");
};

test("the last answer of a temporary chat is regenerated in its position, and no question can be edited", async () => {
  const sent = await openChatScreen("/chat?temporary=1", {
    "POST /temporary/reply": [
      answer("The first answer.", "r1"),
      answer("The other answer.", "r2"),
      answer("A later answer.", "r3"),
    ],
  });
  await screen.findByPlaceholderText("Message ChatGPT...");
  await ask("A question");
  await findAnswer("The first answer.");
  await screen.findByLabelText("Regenerate");
  await pressButton("Regenerate");
  await findAnswer("The other answer.");
  expect(queryAnswer("The first answer.")).toBeNull();
  await ask("Another question");
  await findAnswer("A later answer.");
  await vi.waitFor(() => expect(screen.getAllByLabelText("Regenerate")).toHaveLength(1));
  expect(screen.queryByLabelText("Edit")).toBeNull();
  const contents = sent().map(([, body]) => Object(body).messages.map(({ content }: { content: string }) => content));
  expect(contents).toEqual([["A question"], ["A question"], ["A question", "The other answer.", "Another question"]]);
});
