import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eachChatScreenAlone, openChatScreen, pressKey, storedChat, write } from "../../testing/open-chat-screen.tsx";
import { DONE, endless, event, start, token } from "../../testing/replies-set-up.ts";

eachChatScreenAlone();

const writer = (model: string) => event({ writer: model });
const label = () => screen.getByRole("heading", { name: "Server" }).parentElement?.textContent;
const submit = async () => {
  await screen.findByPlaceholderText("Message ChatGPT...");
  write("A question");
  await pressKey("Enter");
};

test("an answer has the name of its model while it is written, and of another model that continues it", async () => {
  const running = endless(start(0, "r"));
  await openChatScreen("/chat?c=a", {
    "GET /chat/a": storedChat("a"),
    "POST /chat/a/send?stream=1": () => running.response,
  });
  await submit();
  expect(label()).toBe("ServerNow");
  await act(async () => running.push(writer("GPT:gpt-5-mini"), token("One", 3)));
  await vi.waitFor(() => expect(label()).toBe("ServerNowgpt-5-mini"));
  await act(async () => running.push(writer("LOCAL:llama3"), token(" two", 7)));
  await vi.waitFor(() => expect(label()).toBe("ServerNowllama3"));
});

test("an answer of a temporary chat has the name of its model, also after its end", async () => {
  const running = endless(start(0, "r"), writer("GPT:gpt-5-mini"), token("One", 3));
  await openChatScreen("/chat?temporary=1", { "POST /temporary/reply": () => running.response });
  await submit();
  await vi.waitFor(() => expect(label()).toBe("ServerNowgpt-5-mini"));
  await act(async () => running.end(token(" two", 7), DONE));
  await screen.findByText("One two", { ignore: "[role=log] *" });
  expect(label()).toBe("ServerNowgpt-5-mini");
});
