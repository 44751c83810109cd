import { afterEach, expect, test, vi } from "vitest";
import { ada, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { clearNotifications, currentNotifications, runLatestAction } from "../../ui/notifications/notify.ts";
import { forgetSession, refreshUser, signIn } from "./session.ts";

const keep = "DELETE /auth/second-factor/loss";
const ending = { "GET /auth/me": { json: { ...ada, secondFactorEndsAt: Date.UTC(2026, 0, 4) } } };
const shown = () => currentNotifications().map(({ text }) => text);

afterEach(() => {
  clearNotifications();
  forgetSession();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function signInAsAda(): void {
  signIn({ access_token: tokenFor(ada.id), user: ada, emailVerified: true });
}

test("every signed-in page reports that the second factor will end, once, and a click keeps it", async () => {
  signInAsAda();
  const calls = fakeApi({ ...ending, [keep]: { status: 204, text: "" } });
  await refreshUser();
  await refreshUser();
  await vi.waitFor(() => expect(shown()).toEqual([expect.stringMatching(/as lost.*Jan 4, 2026/)]));
  expect(runLatestAction()).toBe(true);
  await vi.waitFor(() => expect(shown()).toEqual(["The second factor stays."]));
  expect(calls.filter(({ method }) => method === "DELETE")).toHaveLength(1);
});

test("the notice about the end of the second factor stays if the server does not stop it", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  signInAsAda();
  fakeApi({ ...ending, [keep]: problem(503, "unavailable") });
  await refreshUser();
  await vi.waitFor(() => expect(shown()).toHaveLength(1));
  runLatestAction();
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  await vi.waitFor(() => expect(shown()).toEqual([expect.stringContaining("as lost")]));
});
