import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { ada, problem } from "../testing/fakes/fake-api.ts";
import {
  chatAddressShown,
  eachChatScreenAlone,
  openChatScreen,
  pressButton,
  pressKey,
  storedChat,
  write,
} from "../testing/open-chat-screen.tsx";
import { message } from "../testing/replies-set-up.ts";

eachChatScreenAlone();

async function openFailed(code: string, role: AccountRole) {
  const failed = { ...message("r", "assistant", "", "failed"), code };
  const chat = storedChat("a", message("q", "user", "A question"), failed);
  await openChatScreen("/chat?c=a", { "GET /chat/a": chat }, { ...ada, role });
  await screen.findByText("A question");
  await vi.dynamicImportSettled();
}
const testLink = () => screen.queryByRole("link", { name: "Test the provider" });

test.each([
  ["assistant-misconfigured", /The assistant cannot answer right now\./, /the provider refused the key/],
  ["assistant-no-credit", /no credit is left at its provider/, /add credit to the account/],
  ["assistant-model-gone", /Please choose another one\./, /MODELS_FILE names other models/],
] as const)(
  "an administrator reads below an answer that failed by %s how that is put right",
  async (code, kind, advice) => {
    await openFailed(code, "administrator");
    expect(screen.getByText(kind)).toBeTruthy();
    expect(await screen.findByText(advice)).toBeTruthy();
    expect(testLink()?.getAttribute("href")).toBe("/administration/overview#providers");
  },
);

test("other people read one sentence below an answer that failed by a refused key", async () => {
  await openFailed("assistant-misconfigured", "manager");
  expect(screen.getByText(/The administrator can put that right\./)).toBeTruthy();
  expect(testLink()).toBeNull();
});

test("a failure that administrators cannot put right has no advice", async () => {
  await openFailed("assistant-stalled", "owner");
  expect(testLink()).toBeNull();
});

test("the refusal of a budget leads to the usage", async () => {
  const budget = { scope: "account", limit: 0.01, until: Date.UTC(2026, 11, 1) };
  await openChatScreen("/chat?c=a", {
    "GET /chat/a": storedChat("a", message("q", "user", "A question"), message("r", "assistant", "Hi")),
    "POST /chat/a/send?stream=1": problem(402, "budget-reached", budget),
  });
  await screen.findByText("A question");
  write("One more");
  await pressKey("Enter");
  expect((await screen.findByRole("alert")).textContent).toContain("Your budget of $0.01 for this month");
  await pressButton("Usage");
  expect(chatAddressShown()).toBe("/settings/usage");
});
