import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountRole } from "#contract/accounts/roles.ts";
import type { SiteNotice } from "#contract/administration/site-notice.ts";
import type { ModelOption } from "#contract/models/models.ts";
import { forgetSession, signIn } from "../accounts/session/session.ts";
import { ada, type FakeAnswer, fakeApi, tokenFor } from "../testing/fakes/fake-api.ts";
import "../locales/i18n.ts";
import { modelsQuery } from "../queries/models-query.ts";
import { clearNotifications, currentNotifications } from "../ui/notifications/notify.ts";
import { SiteNotices } from "./site-notices.tsx";
import { NOTICE_POLL_MS } from "./use-site-notice.ts";

const config = { productName: "Salon", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true };

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  cleanup();
  clearNotifications();
  forgetSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open(answers: Record<string, FakeAnswer | readonly FakeAnswer[]>, role: AccountRole = "person") {
  signIn({ access_token: tokenFor("1"), user: { ...ada, role }, emailVerified: true });
  const calls = fakeApi({ "GET /auth/config": { json: config }, ...answers });
  await act(async () => {
    render(
      <MemoryRouter>
        <SiteNotices isInChat />
      </MemoryRouter>,
    );
  });
  return calls;
}
const answer = (notice: SiteNotice | null): FakeAnswer => ({ json: { notice } });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("a notice appears without a reload, and vanishes when it is removed", async () => {
  await open({ "GET /notice": [answer(null), answer({ id: "1", text: "Back at nine." }), answer(null)] });
  expect(screen.queryByText("Back at nine.")).toBeNull();
  await pass(NOTICE_POLL_MS);
  expect(screen.getByRole("status").textContent).toBe("Back at nine.");
  await pass(NOTICE_POLL_MS);
  expect(screen.queryByText("Back at nine.")).toBeNull();
});

test("a notice vanishes at its end", async () => {
  await open({ "GET /notice": answer({ id: "1", text: "For a while", until: Date.now() + 5000 }) });
  expect(screen.getByText("For a while")).toBeTruthy();
  await pass(5001);
  expect(screen.queryByText("For a while")).toBeNull();
});

test("a dismissed notice stays away, but a new one is shown", async () => {
  await open({
    "GET /notice": [
      answer({ id: "1", text: "Old" }),
      answer({ id: "1", text: "Old" }),
      answer({ id: "2", text: "New" }),
    ],
  });
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Close" })));
  expect(screen.queryByText("Old")).toBeNull();
  await pass(NOTICE_POLL_MS);
  expect(screen.queryByText("Old")).toBeNull();
  await pass(NOTICE_POLL_MS);
  expect(screen.getByText("New")).toBeTruthy();
});

test("a notice is plain text", async () => {
  await open({ "GET /notice": answer({ id: "1", text: "<b>Bold</b>\nhttps://example.org" }) });
  expect(screen.getByRole("status").textContent).toBe("<b>Bold</b>\nhttps://example.org");
  expect(screen.queryByRole("link")).toBeNull();
});

describe("models that a restarted server has", () => {
  const model = (value: string, more: Partial<ModelOption> = {}) => ({ label: value, value, available: true, ...more });
  const groups = (...models: ModelOption[]) => ({ json: [{ label: "GPT", models }] });
  const notSetUp = { available: false };

  async function readTwice(before: FakeAnswer, after: FakeAnswer, role: AccountRole = "owner"): Promise<string[]> {
    await open({ "GET /notice": answer(null), "GET /models": [before, after] }, role);
    await act(() => modelsQuery.load());
    expect(currentNotifications()).toEqual([]);
    await act(() => modelsQuery.reload());
    return currentNotifications().map(({ text }) => text);
  }

  test.each([
    ["one model", [model("mini")], "mini is connected."],
    [
      "the default of several",
      [model("big"), model("mini", { default: true }), model("pro")],
      "mini and 2 more models are connected.",
    ],
  ])("an owner is notified of %s that became available", async (_, models, text) => {
    expect(await readTwice(groups(...models.map((each) => ({ ...each, ...notSetUp }))), groups(...models))).toEqual([
      text,
    ]);
  });

  test("an owner is not notified of models of a provider that answers again", async () => {
    const unreachable = { json: [{ label: "Local", unreachable: "LOCAL:", models: [] }] };
    expect(await readTwice(unreachable, groups(model("LOCAL:llama")))).toEqual([]);
  });

  test("other people are not notified of connected models", async () => {
    expect(await readTwice(groups(), groups(model("mini")), "administrator")).toEqual([]);
  });
});
