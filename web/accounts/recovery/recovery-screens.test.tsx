import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FORGOT_PASSWORD_SUCCESS, RESET_PASSWORD_SUCCESS } from "#contract/accounts/account-settings.ts";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { loadAuthConfig } from "../auth-config.ts";
import { currentSession, forgetSession, signIn } from "../session/session.ts";
import { LoginScreen } from "../sign-in/login-screen.tsx";
import { ForgotPasswordScreen } from "./forgot-password-screen.tsx";
import { ResetPasswordScreen } from "./reset-password-screen.tsx";

const forgot = "POST /auth/forgot-password";
const reset = "POST /auth/reset-password";
const readLink = "POST /auth/mailed-key";
const me = "GET /auth/me";
const purposes: Record<string, string> = {
  "/reset-password": "reset-password",
  "/undo-email": "undo-email",
};
/** The server's response about a key of ada's. */
const known = (path: string, username = "ada") => ({
  json: { purpose: purposes[path.split(/[?#]/)[0] ?? ""], username },
});
const settings = { productName: "Salon", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: true };

function ShownLocation() {
  const { pathname, search, hash } = useLocation();
  return <p data-testid="location">{pathname + search + hash}</p>;
}

async function openScreen(
  path: string,
  answers: Record<string, FakeAnswer> = {},
  policy: "plain" | "strict" = "plain",
) {
  const calls = fakeApi({
    "GET /auth/config": { json: { ...settings, passwordPolicy: policy } },
    [readLink]: known(path),
    ...answers,
  });
  await loadAuthConfig();
  render(
    <StrictMode>
      <MemoryRouter initialEntries={[path]}>
        <ShownLocation />
        <Routes>
          <Route path="/login" element={<LoginScreen />} />
          <Route path="/forgot-password" element={<ForgotPasswordScreen />} />
          <Route path="/reset-password" element={<ResetPasswordScreen />} />
          <Route path="*" element={null} />
        </Routes>
      </MemoryRouter>
    </StrictMode>,
  );
  await waitFor(() => expect(screen.queryByText("Checking the link...")).toBeNull());
  const posts = () => calls.filter(({ method }) => method === "POST").map(({ path: to, body }) => [to, body] as const);
  return { sent: () => posts().filter(([to]) => to !== "/auth/mailed-key"), posts };
}

const shownLocation = () => screen.getByTestId("location").textContent;
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: "input" });
const type = (label: string, text: string) => fireEvent.input(field(label), { target: { value: text } });
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
const namesShown = () =>
  screen.getAllByRole("term").map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);
const title = (name: string) => screen.findByRole("heading", { level: 1, name });
const tooOften = (seconds: number) => () =>
  new Response(JSON.stringify({ detail: "No.", error: "No.", code: "too-many-requests" }), {
    status: 429,
    headers: { "retry-after": String(seconds) },
  });

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  forgetSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("requests for a new password", () => {
  test("the form for a forgotten password takes the name from the sign-in screen, which is not in the address", async () => {
    await openScreen("/login");
    type("Username", "ada");
    fireEvent.click(screen.getByRole("link", { name: "Forgot your password?" }));
    await title("Forgot Your Password?");
    expect(shownLocation()).toBe("/forgot-password");
    expect(field("Email or username").value).toBe("ada");
  });

  test("C2 a request for a new password shows the server's sentence, whether or not the account exists", async () => {
    const { sent } = await openScreen("/forgot-password?email=ada%2Bx@example.com", {
      [forgot]: { json: { message: FORGOT_PASSWORD_SUCCESS } },
    });
    expect(field("Email or username").value).toBe("ada+x@example.com");
    fireEvent.click(button("Send Link"));
    await title("Check Your Mail");
    expect(screen.getByText(FORGOT_PASSWORD_SUCCESS)).toBeTruthy();
    expect(sent()).toEqual([["/auth/forgot-password", { email: "ada+x@example.com" }]]);
    fireEvent.click(button("send it again"));
    expect(field("Email or username").value).toBe("ada+x@example.com");
    fireEvent.click(button("Send Link"));
    await title("Check Your Mail");
    fireEvent.click(button("Back to sign in"));
    expect(shownLocation()).toBe("/login");
  });

  test("a request for a new password needs an address or a name", async () => {
    const { sent } = await openScreen("/forgot-password");
    type("Email or username", "  ");
    fireEvent.click(button("Send Link"));
    expect(await screen.findByText("Email or username is required")).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  test("B5 after too many requests the wait is counted down and announced once, and then a retry is possible", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { sent } = await openScreen("/forgot-password?email=ada", { [forgot]: tooOften(42) });
    fireEvent.click(button("Send Link"));
    const alert = await screen.findByRole("alert");
    expect(alert.querySelector(".sr-only")?.textContent).toBe("Too many requests. Please wait 42 seconds.");
    // The button is only `aria-disabled`, so it retains the focus; a click on it sends nothing.
    expect(button("Send Link").getAttribute("aria-disabled")).toBe("true");
    expect(button("Send Link").disabled).toBe(false);
    fireEvent.click(button("Send Link"));
    expect(sent()).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(alert.querySelector("[aria-hidden=true].tabular-nums")?.textContent).toMatch(/wait 1[12] seconds\.$/);
    expect(alert.querySelector(".sr-only")?.textContent).toBe("Too many requests. Please wait 42 seconds.");
    await act(() => vi.advanceTimersByTimeAsync(13_000));
    expect(alert.textContent).toBe("You can try again now.");
    expect(button("Send Link").getAttribute("aria-disabled")).toBeNull();
  });

  test("a wait after too many requests does not apply to another address", async () => {
    await openScreen("/forgot-password?email=ada", { [forgot]: tooOften(42) });
    fireEvent.click(button("Send Link"));
    await screen.findByRole("alert");
    fireEvent.change(field("Email or username"), { target: { value: "grace" } });
    expect(screen.queryByRole("alert")).toBeNull();
    expect(button("Send Link").getAttribute("aria-disabled")).toBeNull();
  });
});

describe("the form of a new password", () => {
  const fill = (password: string, repeated = password) => {
    type("New Password", password);
    type("Confirm Password", repeated);
  };

  test("D6 a new password removes the key from the address and opens sign-in with the server's sentence", async () => {
    const { sent, posts } = await openScreen("/reset-password#key=k%2B1", {
      [reset]: { json: { message: RESET_PASSWORD_SUCCESS } },
    });
    expect(shownLocation()).toBe("/reset-password");
    expect(posts()).toEqual([["/auth/mailed-key", { key: "k+1" }]]);
    expect([field("New Password").autocomplete, field("Confirm Password").autocomplete]).toEqual([
      "new-password",
      "new-password",
    ]);
    fill("correct horse battery");
    fireEvent.click(button("Set Password"));
    await waitFor(() => expect(shownLocation()).toBe("/login"));
    expect(screen.getByText(RESET_PASSWORD_SUCCESS)).toBeTruthy();
    expect(sent()).toEqual([["/auth/reset-password", { key: "k+1", password: "correct horse battery" }]]);
  });

  test("E4 a new password ends this browser's session too, but not one of another account", async () => {
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    const done = { json: { message: RESET_PASSWORD_SUCCESS } };
    await openScreen("/reset-password?key=k", { [reset]: done, [me]: problem(401, "not-signed-in") });
    fill("correct horse battery");
    fireEvent.click(button("Set Password"));
    expect(await screen.findByText(RESET_PASSWORD_SUCCESS)).toBeTruthy();
    expect(currentSession().isSignedIn).toBe(false);
    cleanup();
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    await openScreen("/reset-password?key=k", { [reset]: done, [me]: { json: ada } });
    fill("correct horse battery");
    fireEvent.click(button("Set Password"));
    await title("Your Password Is Set");
    expect(shownLocation()).toBe("/reset-password");
    expect(screen.getByText(`${RESET_PASSWORD_SUCCESS} In this browser you are signed in as ada.`)).toBeTruthy();
    fireEvent.click(button("Go to Your Chats"));
    expect(shownLocation()).toBe("/chat");
  });

  test("A1 a new password has the rules of the registration, with errors at their fields", async () => {
    const { sent } = await openScreen("/reset-password?key=k");
    fireEvent.click(button("Set Password"));
    expect(await screen.findByText("Password is required")).toBeTruthy();
    expect(screen.getByText("ConfirmPassword is required")).toBeTruthy();
    fill("seven77", "seven78");
    expect(screen.getByText("Password must be at least 8 characters")).toBeTruthy();
    expect(screen.getByText("Passwords do not match")).toBeTruthy();
    type("New Password", "𝒆".repeat(256));
    expect(screen.queryByText(/must be/)).toBeNull();
    type("New Password", "𝒆".repeat(257));
    expect(screen.getByText("Password must be no more than 256 characters")).toBeTruthy();
    fireEvent.click(button("Set Password"));
    expect(sent()).toEqual([]);
  });

  test("a refused form of a new password moves the focus to the first invalid field", async () => {
    const { sent } = await openScreen("/reset-password?key=k");
    fireEvent.click(button("Set Password"));
    await waitFor(() => expect(document.activeElement).toBe(field("New Password")));
    fill("correct horse battery", "correct horse");
    fireEvent.click(button("Set Password"));
    await waitFor(() => expect(document.activeElement).toBe(field("Confirm Password")));
    expect(sent()).toEqual([]);
  });

  test("A4 the form of a new password shows the reason for which the server refuses it", async () => {
    const issues = [{ field: "password", rule: "personal", message: "No." }];
    await openScreen("/reset-password?key=k", { [reset]: problem(400, "invalid-input", { issues }) });
    fill("ada ada ada ada");
    fireEvent.click(button("Set Password"));
    expect(
      await screen.findByText("This password can be guessed from your name or address. Please choose another"),
    ).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("L1 L2 a reset link names its account, and the signed-in account if that is another one", async () => {
    await openScreen("/reset-password#key=k");
    expect(namesShown()).toEqual(["Account: ada"]);
    cleanup();
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    await openScreen("/reset-password?key=k", { [readLink]: known("/reset-password", "eve") });
    expect(namesShown()).toEqual(["Signed in here: ada", "Account of this link: eve"]);
    expect(
      screen.getByText(/^The account of this link .* The account that is signed in here does not change\.$/),
    ).toBeTruthy();
  });

  test("D3 an invalid reset link offers a new one", async () => {
    await openScreen("/reset-password#key=k", { [readLink]: problem(400, "bad-link") });
    await title("This Link No Longer Works");
    cleanup();
    await openScreen("/reset-password#key=k", { [readLink]: known("/undo-email") });
    await title("This Link No Longer Works");
    cleanup();
    await openScreen("/reset-password?key=k", { [reset]: problem(400, "bad-link") });
    fill("correct horse battery");
    fireEvent.click(button("Set Password"));
    await title("This Link No Longer Works");
    fireEvent.click(button("Get a New Link"));
    expect(shownLocation()).toBe("/forgot-password");
  });

  test("the page of a new password without a key explains where to find the link", async () => {
    await openScreen("/reset-password");
    await title("Open the Link Again");
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  test("the form of a new password stays if the server cannot be reached", async () => {
    await openScreen("/reset-password?key=k", { [reset]: () => Promise.reject(new TypeError("Failed to fetch")) });
    fill("correct horse battery");
    fireEvent.click(button("Set Password"));
    expect((await screen.findByRole("alert")).textContent).toContain("Please check your connection");
    expect(field("New Password").value).toBe("correct horse battery");
    expect(button("Set Password").getAttribute("aria-disabled")).toBeNull();
  });
});
