import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import {
  eachChatScreenAlone,
  openChatScreen,
  pressButton,
  sendButton,
  storedChat,
} from "../../testing/open-chat-screen.tsx";
import { DONE, endless, message, start, stream, token } from "../../testing/replies-set-up.ts";

eachChatScreenAlone();

const question = message("q", "user", "A question");
const open = (messages: Message[], answers: Parameters<typeof openChatScreen>[1] = {}) =>
  openChatScreen("/chat?c=a", { "GET /chat/a": storedChat("a", ...messages), ...answers });
const offered = () =>
  screen
    .queryAllByRole("button")
    .map(({ textContent }) => textContent)
    .filter((name) => name === "Continue" || name === "Retry");

test.each(["failed", "interrupted", "stopped"] as const)(
  "an answer that is %s can be continued and retried",
  async (state) => {
    await open([question, message("r", "assistant", "One two", state)]);
    await screen.findByText("One two");
    expect(offered()).toEqual(["Continue", "Retry"]);
  },
);

test("an incomplete answer before the last message cannot be continued or retried", async () => {
  await open([
    question,
    message("r", "assistant", "One two", "interrupted"),
    { ...message("q2", "user", "Something else"), parent: "r" },
    message("r2", "assistant", "Something else, then."),
  ]);
  await screen.findByText("Something else, then.");
  expect(offered()).toEqual([]);
});

test("an answer that reached the length limit of its model can be continued, not retried", async () => {
  await open([question, { ...message("r", "assistant", "One two"), isTruncated: true }]);
  await screen.findByText("One two");
  expect(screen.getByText(/The answer stopped at the model’s length limit\./)).toBeTruthy();
  expect(offered()).toEqual(["Continue"]);
});

test("Retry with another model sends the chosen model", async () => {
  const models = ["gpt-5-mini", "gpt-5-nano"].map((name) => ({ label: name, value: `GPT:${name}`, available: true }));
  const sent = await open([question], {
    "GET /models": { json: [{ label: "GPT", models }] },
    "POST /chat/a/reply": () => stream(start(0, "r2"), token("Here", 4), DONE),
  });
  const button = await screen.findByRole("button", { name: "Retry with another model" });
  await act(async () => fireEvent.click(button, { detail: 1 }));
  const item = await screen.findByRole("menuitem", { name: "gpt-5-nano" });
  await act(async () => fireEvent.click(item));
  await vi.waitFor(() =>
    expect(sent()).toEqual([["POST /chat/a/reply", { mode: "retry", model: "GPT:gpt-5-nano", parent: "q" }]]),
  );
});

test("the menu of another answer marks the model that wrote this one", async () => {
  const models = ["gpt-5-mini", "gpt-5-nano"].map((name) => ({ label: name, value: `GPT:${name}`, available: true }));
  await open([question, { ...message("r", "assistant", "One two"), model: "GPT:gpt-5-nano" }], {
    "GET /models": { json: [{ label: "GPT", models }] },
  });
  const button = await screen.findByRole("button", { name: "Regenerate with another model" });
  await act(async () => fireEvent.click(button, { detail: 1 }));
  const items = await screen.findAllByRole("menuitem");
  expect(items.map(({ textContent }) => textContent)).toEqual(["gpt-5-mini", "gpt-5-nanoWrote this answer"]);
});

test("an answer that could not be stopped goes on, and the error is shown", async () => {
  const running = endless(start(), token("Once upon", 9));
  const whole = [question, message("r1", "assistant", "Once upon a time.")];
  await openChatScreen("/chat?c=a", {
    "GET /chat/a": [storedChat("a"), storedChat("a", ...whole)],
    "POST /chat/a/send?stream=1": () => running.response,
    "POST /chat/a/stop": { status: 503, text: "" },
  });
  fireEvent.change(screen.getByPlaceholderText("Message ChatGPT..."), { target: { value: "A question" } });
  await act(async () => fireEvent.click(sendButton()));
  await screen.findByText("Once upon");
  await pressButton("Stop");
  const alert = await within(screen.getByRole("main")).findByRole("alert");
  expect(alert.textContent).toBe("The answer could not be stopped. Please try again.");
  await act(async () => running.end(token(" a time.", 17), DONE));
  expect(await screen.findByText("Once upon a time.")).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Stop" })).toBeNull());
});

test("an answer is downloaded as a Word document, as Markdown or as a web page from its menu", async () => {
  const file = "attachment; filename*=UTF-8''Fjords.docx";
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:saved", revokeObjectURL: () => undefined }));
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await open([question, message("r", "assistant", "One two")], {
    "GET /chat/a/export?format=docx&message=r": () =>
      new Response("file", { headers: { "content-disposition": file } }),
  });
  await screen.findByText("One two");
  const button = await screen.findByRole("button", { name: "Download this answer" });
  await act(async () => fireEvent.click(button, { detail: 1 }));
  const items = within(await screen.findByRole("menu", { name: "Download this answer" })).getAllByRole("menuitem");
  expect(items.map(({ textContent }) => textContent)).toEqual(["Word (.docx)", "Markdown", "Web page (HTML)"]);
  await act(async () => fireEvent.click(screen.getByRole("menuitem", { name: "Word (.docx)" })));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledTimes(1));
  expect((saved.mock.contexts[0] as HTMLAnchorElement).download).toBe("Fjords.docx");
});
