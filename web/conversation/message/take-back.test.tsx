import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eachChatScreenAlone, openChatScreen, pressKey, storedChat, write } from "../../testing/open-chat-screen.tsx";
import { endless, event, token } from "../../testing/replies-set-up.ts";

eachChatScreenAlone();

const THOUGHT = "Hm, a fjord.";
const begin = (run: number) => event({ reply: "r", at: 0, run, rev: 0 });
const part = (more: object) => event({ part: { seq: 0, at: 0, kind: "reasoning", ...more } });

test.each(["stored", "temporary"])(
  "text of a %s answer moves into its reasoning, and the answer follows",
  async (kind) => {
    const running = endless(begin(1));
    const address = kind === "stored" ? "/chat?c=a" : "/chat?temporary=1";
    await openChatScreen(address, {
      "GET /chat/a": storedChat("a"),
      "POST /chat/a/send?stream=1": () => running.response,
      "POST /temporary/reply": () => running.response,
    });
    await screen.findByPlaceholderText("Message ChatGPT...");
    write("A question");
    await pressKey("Enter");
    await act(async () => running.push(token(THOUGHT, THOUGHT.length)));
    await screen.findByText(THOUGHT, { ignore: "[role=log] *" });
    expect(screen.queryByRole("button", { name: /Thought|Thinking/ })).toBeNull();
    const moved = [begin(2), part({ rev: 1 }), event({ thought: THOUGHT, seq: 0, length: THOUGHT.length })];
    await act(async () => running.push(...moved, part({ rev: 2, durationMs: 2000 })));
    const summary = await screen.findByRole("button", { name: /Thought/ });
    await vi.waitFor(() => expect(screen.queryByText(THOUGHT, { ignore: "[role=log] *" })).toBeNull());
    await act(async () => running.push(token("A long inlet.", 13)));
    await screen.findByText("A long inlet.", { ignore: "[role=log] *" });
    await act(async () => summary.click());
    await screen.findByText(THOUGHT, { ignore: "[role=log] *" });
  },
);
