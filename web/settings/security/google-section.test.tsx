import { act, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { fakeGoogle, pressGoogle } from "../../testing/fakes/fake-google.ts";
import { config, done, eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";

vi.mock("../../accounts/sign-in/google-identity.ts", async () => ({
  loadGoogleIdentity: (await import("../../testing/fakes/fake-google.ts")).loadFakeGoogle,
}));

eachTestAlone();
beforeEach(() => fakeGoogle.reset());

const CONNECT = "POST /auth/google/connection";

/** Opens the section on a server with Google sign-in, whose nonces are counted with the title of the test before. */
function open(answers: Record<string, FakeAnswer | readonly FakeAnswer[]>) {
  let nonces = 0;
  return openSettings("security", {
    "GET /auth/config": () => {
      nonces += 1;
      return Response.json({ ...config.json, googleClientId: "client", googleNonce: nonce(nonces) });
    },
    ...answers,
  });
}

const nonce = (read: number) => `${expect.getState().currentTestName} ${read}`;

test("a refused Google token is reported in the settings, and the next one connects", async () => {
  const sent = await open({ [CONNECT]: [problem(400, "bad-google-token"), done] });
  await pressGoogle(nonce(1), "refused");
  const section = screen.getByRole("region", { name: "Google" });
  const alert = await within(section).findByRole("alert");
  expect(alert.textContent).toBe("Google sign-in did not work. Please try again.");
  await pressGoogle(nonce(2), "accepted");
  expect(await screen.findByText("Your Google account is connected.")).toBeTruthy();
  expect(sent()).toEqual([
    [CONNECT, { id_token: "refused" }],
    [CONNECT, { id_token: "accepted" }],
  ]);
});

test("connecting Google with an expired proof needs the password, and one press of Google's button", async () => {
  const sent = await open({
    [CONNECT]: [problem(403, "proof-needed"), done],
    "POST /auth/proof": { json: { provedUntil: 5 } },
  });
  await pressGoogle(nonce(1), "id-token");
  const dialog = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  const password = within(dialog).getByLabelText("Password");
  await act(async () => void fireEvent.input(password, { target: { value: "my password" } }));
  await press("Confirm");
  expect(await screen.findByText("Your Google account is connected.")).toBeTruthy();
  expect(sent()).toEqual([
    [CONNECT, { id_token: "id-token" }],
    ["POST /auth/proof", { password: "my password" }],
    [CONNECT, { id_token: "id-token" }],
  ]);
});
