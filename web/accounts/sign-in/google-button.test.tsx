import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MINUTE } from "#contract/limits.ts";
import { ada, type FakeAnswer, fakeApi, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { log } from "../../log.ts";
import { fakeGoogle, pressGoogle } from "../../testing/fakes/fake-google.ts";
import { loadAuthConfig } from "../auth-config.ts";
import { RegisterScreen } from "../registration/register-screen.tsx";
import { VerifyEmailScreen } from "../registration/verify-email-screen.tsx";
import { forgetSession } from "../session/session.ts";
import { LoginScreen } from "./login-screen.tsx";

vi.mock("./google-identity.ts", async () => ({
  loadGoogleIdentity: (await import("../../testing/fakes/fake-google.ts")).loadFakeGoogle,
}));

const signedIn = { access_token: tokenFor("1"), user: ada, emailVerified: true };

/** Opens a screen of a server with Google sign-in, whose next nonce is another one at each read. */
async function openScreen(content: ReactNode, answers: Record<string, FakeAnswer> = {}) {
  let nonces = 0;
  const config = () => {
    nonces += 1;
    const google = { googleClientId: "client", googleNonce: `${expect.getState().currentTestName} ${nonces}` };
    return Response.json({
      productName: "P",
      passwordMin: 8,
      passwordPolicy: "plain",
      registrationOpen: true,
      ...google,
    });
  };
  const calls = fakeApi({ "GET /auth/config": config, ...answers });
  await loadAuthConfig();
  await act(async () => {
    render(
      <MemoryRouter initialEntries={["/here"]}>
        <Routes>
          <Route path="/here" element={content} />
          <Route path="*" element={<p>Another page</p>} />
        </Routes>
      </MemoryRouter>,
    );
  });
  return calls;
}

const nonce = (read: number) => `${expect.getState().currentTestName} ${read}`;

beforeEach(() => {
  localStorage.clear();
  fakeGoogle.reset();
});
afterEach(() => {
  cleanup();
  forgetSession();
  delete document.documentElement.dataset.theme;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ["light", "outline"],
  ["dark", "filled_black"],
])("Google's button in the %s theme is rendered as %s", async (theme, drawn) => {
  document.documentElement.dataset.theme = theme;
  await openScreen(<LoginScreen />);
  expect(fakeGoogle.rendered).toMatchObject([{ type: "standard", theme: drawn, text: "signin_with" }]);
});

test("the sign-in screen shows that the server verifies Google's token, in place of the button", async () => {
  const answer = Promise.withResolvers<Response>();
  await openScreen(<LoginScreen />, { "POST /auth/google": () => answer.promise });
  const box = screen.getByTitle("Google").parentElement;
  expect(box?.classList).not.toContain("invisible");
  await pressGoogle(nonce(1), "id-token");
  expect((await screen.findByText("Signing in with Google…")).role).toBe("status");
  expect(box?.classList).toContain("invisible");
  await act(async () => answer.resolve(Response.json(signedIn)));
  expect(await screen.findByText("Another page")).toBeTruthy();
});

test("an open sign-in screen gets a new nonce for Google before the old one expires", async () => {
  vi.useFakeTimers();
  await openScreen(<LoginScreen />);
  await act(() => vi.advanceTimersByTimeAsync(9 * MINUTE - 1));
  expect(fakeGoogle.initialized.map((options) => options.nonce)).toEqual([nonce(1)]);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(fakeGoogle.initialized.map((options) => options.nonce)).toEqual([nonce(1), nonce(2)]);
  expect(screen.getAllByTitle("Google")).toHaveLength(1);
});

test("a missing Google script is reported on the sign-in screen, and the password still works", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  fakeGoogle.isMissing = true;
  await openScreen(<LoginScreen />, { "POST /auth/login": { json: signedIn } });
  expect(screen.getByText("The Google button could not be loaded. You can sign in with your password.")).toBeTruthy();
  expect(warn).toHaveBeenCalledExactlyOnceWith("The Google button is missing", expect.any(Error));
  fireEvent.change(screen.getByLabelText("Username"), { target: { value: "ada" } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "secret words" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign In" }));
  expect(await screen.findByText("Another page")).toBeTruthy();
});

test.each([
  ["registration", <RegisterScreen key="register" />],
  ["verification", <VerifyEmailScreen key="verify" />],
])("the %s does not request Google's script", async (_, content) => {
  await openScreen(content);
  expect(screen.getByRole("link", { name: "Sign in here" })).toBeTruthy();
  expect(fakeGoogle.loads).toBe(0);
});
