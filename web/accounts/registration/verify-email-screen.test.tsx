import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import german from "../../locales/de/shell.json";
import { i18n } from "../../locales/i18n.ts";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import { clearNotifications, currentNotifications, runLatestAction } from "../../ui/notifications/notify.ts";
import { currentSession, forgetSession, signIn } from "../session/session.ts";
import { LoginScreen } from "../sign-in/login-screen.tsx";
import { secondStep } from "../sign-in/second-step.ts";
import { VerifyEmailScreen } from "./verify-email-screen.tsx";

const verify = "POST /auth/users/verify";
const readLink = "POST /auth/mailed-key";
const logout = "POST /auth/logout";
const eve = { ...ada, id: "2", username: "eve", email: "eve@example.com" };
const resend = "POST /auth/users/resend-verification";
const config = {
  json: { productName: "Parley", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: true },
};
const signedIn = { json: { access_token: tokenFor("1"), user: ada, emailVerified: true } };

function ShownLocation() {
  const { pathname, search } = useLocation();
  return <p data-testid="location">{pathname + search}</p>;
}

function openScreen(path: string, answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}) {
  const calls = fakeApi({ "GET /auth/config": config, ...answers });
  render(
    <StrictMode>
      <MemoryRouter initialEntries={[path]}>
        <ShownLocation />
        <Routes>
          <Route path="/verify-email" element={<VerifyEmailScreen />} />
          <Route path="/login" element={<LoginScreen />} />
          <Route path="*" element={null} />
        </Routes>
      </MemoryRouter>
    </StrictMode>,
  );
  return { sent: () => calls.filter(({ method }) => method === "POST").map(({ path: to, body }) => [to, body]) };
}

const shownLocation = () => screen.getByTestId("location").textContent;
const keyField = () => screen.getByLabelText<HTMLInputElement>("Verification Key");
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Verify/ });
const resendButton = () => screen.getByRole<HTMLButtonElement>("button", { name: /Resend|Sending/ });
const text = () => document.body.textContent;

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  forgetSession();
  secondStep.set(null);
  clearNotifications();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the screen", () => {
  test("the verification shows the address to which the key was sent, if known", () => {
    openScreen("/verify-email?email=ada%2Bx@example.com");
    expect(screen.getByRole("heading", { level: 1, name: "Verify Your Email" })).toBeTruthy();
    expect(text()).toContain("Please enter the verification key sent to ada+x@example.com");
    cleanup();
    openScreen("/verify-email");
    expect(text()).toContain("Please enter the verification key from your email");
  });

  test("the verification sends no request without a key", () => {
    const { sent } = openScreen("/verify-email?email=ada@example.com");
    expect(keyField().value).toBe("");
    expect(sent()).toEqual([]);
  });

  test("the verification links to sign-in", () => {
    openScreen("/verify-email");
    expect(text()).toContain("Already verified? Sign in here");
    fireEvent.click(screen.getByRole("link", { name: "Sign in here" }));
    expect(shownLocation()).toBe("/login");
  });
});

describe("verifying", () => {
  test("a key in the address is verified at once, only once, and removed from the address", async () => {
    const { sent } = openScreen("/verify-email?key=k%2B1&email=ada@example.com", { [verify]: problem(400, "bad-key") });
    expect((await screen.findByRole("alert")).textContent).toBe("This verification key is not valid or has expired.");
    expect(sent()).toEqual([["/auth/users/verify", { key: "k+1" }]]);
    expect(keyField().value).toBe("k+1");
    expect(shownLocation()).toBe("/verify-email?email=ada%40example.com");
    expect(button().disabled).toBe(false);
  });

  test("a successful verification signs in, shows a message, and opens the chats after two seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    openScreen("/verify-email?key=good", { [verify]: signedIn });
    expect(await screen.findByText("Email Verified Successfully!")).toBeTruthy();
    expect(screen.getByText("Your account has been activated. Redirecting to chat...")).toBeTruthy();
    expect(currentSession()).toMatchObject({ user: ada, isSignedIn: true });
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(shownLocation()).toBe("/verify-email");
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(shownLocation()).toBe("/chat");
  });

  test("a key that was used before confirms the account, signs nobody in, and opens the sign-in after two seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    openScreen("/verify-email?key=used", { [verify]: { json: { alreadyVerified: true } } });
    expect(await screen.findByText("Email Verified Successfully!")).toBeTruthy();
    expect(screen.getByText("Your account has been activated. You can sign in now.")).toBeTruthy();
    expect(currentSession().isSignedIn).toBe(false);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(shownLocation()).toBe("/login");
  });

  test("a key that was used before asks others to sign in", async () => {
    openScreen("/verify-email?key=used", { [verify]: problem(409, "already-verified") });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toBe("This address is already verified. Please sign in.");
    expect(screen.getByRole("link", { name: "Sign in here" })).toBeTruthy();
  });

  test.each(["", "   "])("a key of %j shows an error, and nothing is sent", async (typed) => {
    const { sent } = openScreen("/verify-email");
    fireEvent.change(keyField(), { target: { value: typed } });
    fireEvent.click(button());
    expect(await screen.findByText("Please enter the verification key")).toBeTruthy();
    expect(keyField().getAttribute("aria-invalid")).toBe("true");
    expect(sent()).toEqual([]);
  });

  test("a typed key is trimmed before it is sent, and the button is busy", async () => {
    let answer: (response: Response) => void = () => {};
    const { sent } = openScreen("/verify-email", { [verify]: () => new Promise((resolve) => (answer = resolve)) });
    fireEvent.change(keyField(), { target: { value: " typed " } });
    fireEvent.click(button());
    await waitFor(() => expect(button().textContent).toBe("Verifying..."));
    expect(button().disabled).toBe(true);
    expect(sent()).toEqual([["/auth/users/verify", { key: "typed" }]]);
    answer(new Response("", { status: 500 }));
    expect((await screen.findByRole("alert")).textContent).toBe("Email verification failed");
    expect(button().textContent).toBe("Verify Email");
  });

  test("the right key verifies after a refused one", async () => {
    const { sent } = openScreen("/verify-email", { [verify]: [problem(400, "bad-key"), signedIn] });
    fireEvent.change(keyField(), { target: { value: "wrong" } });
    fireEvent.click(button());
    expect(await screen.findByRole("alert")).toBeTruthy();
    fireEvent.change(keyField(), { target: { value: "right" } });
    fireEvent.click(button());
    expect(await screen.findByText("Email Verified Successfully!")).toBeTruthy();
    expect(sent().map(([, body]) => body)).toEqual([{ key: "wrong" }, { key: "right" }]);
  });

  test("a key in a link can be used again after an unreachable server", async () => {
    const unreachable: FakeAnswer = () => Promise.reject(new TypeError("Failed to fetch"));
    openScreen("/verify-email?key=good", { [verify]: [unreachable, signedIn] });
    expect((await screen.findByRole("alert")).textContent).toContain("The server could not be reached.");
    fireEvent.click(button());
    expect(await screen.findByText("Email Verified Successfully!")).toBeTruthy();
  });
});

test("a verification that needs a second factor opens the second step, and leaves the session as it is", async () => {
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  const stored = { ...localStorage };
  const { sent } = openScreen("/verify-email?key=k", {
    [readLink]: { json: { purpose: "verify-email", username: ada.username } },
    [verify]: problem(403, "second-factor-needed", { ticket: "the ticket" }),
  });
  expect(await screen.findByRole("heading", { level: 1, name: "One more step" })).toBeTruthy();
  expect(shownLocation()).toBe("/login");
  expect(sent().map(([path]) => path)).toEqual(["/auth/mailed-key", "/auth/users/verify"]);
  expect(currentSession()).toMatchObject({ user: ada, isSignedIn: true });
  expect([{ ...localStorage }, sessionStorage.length]).toEqual([stored, 0]);
});

describe("L1 verification while another account is signed in", () => {
  const asEve = { json: { access_token: tokenFor("2"), user: eve, emailVerified: true } };
  const evesKey = { json: { purpose: "verify-email", username: "eve" } };
  const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

  test("a key for another account names both, and is used only after a click, which ends the earlier session", async () => {
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    const { sent } = openScreen("/verify-email?key=k&email=victim@example.com", {
      [readLink]: evesKey,
      [verify]: asEve,
      "GET /auth/me": { json: ada },
      [logout]: () => new Response(null, { status: 204 }),
    });
    await screen.findByRole("heading", { level: 1, name: "Switch to Another Account?" });
    const terms = screen.getAllByRole("term").map((term) => term.parentElement?.textContent);
    expect(terms).toEqual(["Signed in hereada", "Account of this linkeve"]);
    expect(text()).not.toContain("victim@example.com");
    expect(sent()).toEqual([["/auth/mailed-key", { key: "k" }]]);
    expect(currentSession().user).toEqual(ada);
    press("Verify and Switch");
    expect(await screen.findByText("Email Verified Successfully!")).toBeTruthy();
    expect(currentSession().user).toEqual(eve);
    await waitFor(() => expect(sent().map(([to]) => to)).toContain("/auth/logout"));
    expect(currentSession().isSignedIn).toBe(true);
  });

  test("staying signed in does not use the key of another account", async () => {
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    const { sent } = openScreen("/verify-email", { [readLink]: evesKey, "GET /auth/me": { json: ada } });
    fireEvent.change(keyField(), { target: { value: "typed" } });
    fireEvent.click(button());
    await screen.findByRole("heading", { level: 1, name: "Switch to Another Account?" });
    press("Stay Signed In");
    expect(shownLocation()).toBe("/chat");
    expect([sent().length, currentSession().user]).toEqual([1, ada]);
  });

  test("no question is asked if the session has ended, or if the key belongs to its account", async () => {
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    openScreen("/verify-email?key=k", {
      [readLink]: evesKey,
      [verify]: asEve,
      "GET /auth/me": problem(401, "not-signed-in"),
    });
    expect(await screen.findByText("Email Verified Successfully!")).toBeTruthy();
    cleanup();
    const own = { json: { purpose: "confirm-password", username: "eve" } };
    openScreen("/verify-email?key=k", {
      [readLink]: own,
      [verify]: asEve,
      [logout]: () => new Response(null, { status: 204 }),
    });
    expect(await screen.findByText("Email Verified Successfully!")).toBeTruthy();
  });

  test("an invalid key shows the same error as without a session", async () => {
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    openScreen("/verify-email?key=k", { [readLink]: problem(400, "bad-link"), [verify]: problem(400, "bad-key") });
    expect((await screen.findByRole("alert")).textContent).toBe("This verification key is not valid or has expired.");
  });
});

test("L1 a browser other than the one that registered names the account and offers to sign out", async () => {
  const answer = { json: { ...signedIn.json, isOtherBrowser: true } };
  openScreen("/verify-email?key=k", { [verify]: answer, [logout]: () => new Response(null, { status: 204 }) });
  expect(await screen.findByText("Email Verified Successfully!")).toBeTruthy();
  expect(currentNotifications().map(({ text, durationMs }) => [text, durationMs])).toEqual([["Signed in as ada.", 0]]);
  await act(async () => void runLatestAction());
  expect(currentSession().isSignedIn).toBe(false);
});

describe("a request for another mail", () => {
  test("resending sends the known address, and shows the success", async () => {
    let answer: (response: Response) => void = () => {};
    const { sent } = openScreen("/verify-email?email=ada", {
      [resend]: () => new Promise((resolve) => (answer = resolve)),
    });
    expect(text()).toContain("Didn't receive the email? Resend verification email");
    fireEvent.click(resendButton());
    await waitFor(() => expect(resendButton().textContent).toBe("Sending..."));
    expect(resendButton().disabled).toBe(true);
    expect(sent()).toEqual([["/auth/users/resend-verification", { email: "ada" }]]);
    answer(new Response(JSON.stringify({ message: "Verification email sent successfully!" })));
    expect((await screen.findByRole("status")).textContent).toBe("Verification email sent successfully!");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("the success of a resend is shown in the language of the page", async () => {
    i18n.addResourceBundle("de", "accounts", german.accounts);
    await i18n.changeLanguage("de");
    openScreen("/verify-email?email=ada", { [resend]: { json: { message: "Verification email sent successfully!" } } });
    fireEvent.click(screen.getByRole("button", { name: "Bestätigungs-E-Mail erneut senden" }));
    expect((await screen.findByRole("status")).textContent).toBe("Die Bestätigungs-E-Mail wurde gesendet!");
    await i18n.changeLanguage("en");
  });

  test.each([
    ["a text", { text: "It was sent successfully." }],
    ["a message", { json: { message: "It was sent successfully." } }],
  ])("another server's success is known by the specification's word in %s", async (_, answer) => {
    openScreen("/verify-email?email=ada", { [resend]: answer });
    fireEvent.click(resendButton());
    expect((await screen.findByRole("status")).textContent).toBe("It was sent successfully.");
  });

  test("any other answer of the server is shown as an error", async () => {
    openScreen("/verify-email?email=ada", { [resend]: { json: { message: "Come back later" } } });
    fireEvent.click(resendButton());
    expect((await screen.findByRole("alert")).textContent).toBe("Come back later");
  });

  test.each([
    ["worded by its code", problem(429, "too-many-requests"), "Too many requests. Please wait a little."],
    ["by the specification's sentence", { status: 502, text: "" }, "Failed to resend verification email"],
  ])("a failed resend is %s", async (_, answer, sentence) => {
    openScreen("/verify-email?email=ada", { [resend]: answer });
    fireEvent.click(resendButton());
    expect((await screen.findByRole("alert")).textContent).toBe(sentence);
  });

  test("resending without a known address shows that one is needed", async () => {
    const { sent } = openScreen("/verify-email");
    fireEvent.click(resendButton());
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Email address is required to resend verification email",
    );
    expect(sent()).toEqual([]);
  });
});
