import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { closeNotification, currentNotifications } from "../../ui/notifications/notify.ts";
import { loadAuthConfig } from "../auth-config.ts";
import { currentSession, signIn, signOut, startSession } from "../session/session.ts";
import { LoginScreen } from "./login-screen.tsx";

const login = "POST /auth/login";
const signedIn = { access_token: tokenFor("1"), user: ada, emailVerified: true };
const settings = { productName: "Salon", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: true };

function ShownLocation() {
  const { pathname, search } = useLocation();
  return <p data-testid="location">{pathname + search}</p>;
}

async function openScreen(answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}, state: unknown = null) {
  const calls = fakeApi({ "GET /auth/config": { json: settings }, ...answers });
  await loadAuthConfig();
  render(
    <MemoryRouter initialEntries={[{ pathname: "/login", state }]}>
      <Routes>
        <Route path="/login" element={<LoginScreen />} />
        <Route path="*" element={<ShownLocation />} />
      </Routes>
    </MemoryRouter>,
  );
  return { sent: () => calls.filter(({ method }) => method === "POST") };
}

const shownLocation = async () => (await screen.findByTestId("location")).textContent;
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Sign/ });

function submit(username: string, password: string) {
  fireEvent.change(screen.getByLabelText("Username"), { target: { value: username } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: password } });
  fireEvent.click(button());
}

beforeEach(() => localStorage.clear());
afterEach(async () => {
  cleanup();
  fakeApi({ "POST /auth/logout": { json: {} } });
  await signOut();
  vi.unstubAllGlobals();
});

describe("the screen", () => {
  test("the sign-in has the product's name as its title, and labelled fields", async () => {
    await openScreen();
    expect(screen.getByRole("heading", { level: 1, name: "Salon Chat Login" })).toBeTruthy();
    expect(screen.getByText("Welcome back! Please sign in to your account.")).toBeTruthy();
    const username = screen.getByLabelText<HTMLInputElement>("Username");
    const password = screen.getByLabelText<HTMLInputElement>("Password");
    expect([username.placeholder, username.autocomplete]).toEqual(["Enter your username", "username"]);
    expect([password.placeholder, password.autocomplete]).toEqual(["Enter your password", "current-password"]);
    expect(button().textContent).toBe("Sign In");
  });

  test("the sign-in applies the server's configuration once the server is reachable again", async () => {
    const warn = vi.spyOn(console, "warn");
    let isThere = false;
    const answer = () => {
      if (!isThere) throw new TypeError("Failed to fetch");
      return new Response(JSON.stringify({ ...settings, productName: "Parlour" }));
    };
    await openScreen({ "GET /auth/config": answer });
    isThere = true;
    dispatchEvent(new Event("online"));
    expect(await screen.findByRole("heading", { level: 1, name: "Parlour Chat Login" })).toBeTruthy();
    expect(warn).not.toHaveBeenCalled();
  });

  test("the sign-in shows and hides the password", async () => {
    await openScreen();
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toBe("password");
    fireEvent.click(screen.getByRole("button", { name: "Show characters" }));
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toBe("text");
    fireEvent.click(screen.getByRole("button", { name: "Hide characters" }));
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toBe("password");
  });

  test("the sign-in has no Google button and no divider if the server has no client id", async () => {
    await openScreen();
    expect(screen.queryByText("or")).toBeNull();
    expect(document.querySelector("script[src*='google']")).toBeNull();
  });

  test("the sign-in redirects a signed-in person to the chats", async () => {
    signIn(signedIn);
    await openScreen();
    expect(await shownLocation()).toBe("/chat");
  });
});

describe("signing in", () => {
  test("the sign-in needs both fields and sends nothing without them", async () => {
    const { sent } = await openScreen();
    submit("", "");
    expect(await screen.findByText("Username is required")).toBeTruthy();
    expect(screen.getByText("Password is required")).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  test("a sign-in stores the session and opens the chats", async () => {
    const { sent } = await openScreen({ [login]: { json: signedIn } });
    submit("ada", "secret words");
    expect(await shownLocation()).toBe("/chat");
    expect(sent().map(({ body }) => body)).toEqual([{ username: "ada", password: "secret words" }]);
    expect(currentSession()).toMatchObject({ user: ada, isSignedIn: true });
  });

  test("a sign-in accepts an answer of another server whose user has only a username", async () => {
    await openScreen({ [login]: { json: { access_token: tokenFor("1"), user: { username: "ada" } } } });
    submit("ada", "secret words");
    expect(await shownLocation()).toBe("/chat");
    expect(currentSession()).toMatchObject({ user: { username: "ada" }, isSignedIn: true });
  });

  test("a sign-in that needs a second step asks for a code, sends it at the sixth digit, and opens the chats", async () => {
    const needed = problem(403, "second-factor-needed", { ticket: "the ticket" });
    const { sent } = await openScreen({ [login]: needed, "POST /auth/second-step": { json: signedIn } });
    submit("ada", "secret words");
    const code = await screen.findByLabelText<HTMLInputElement>("Code");
    expect([code.autocomplete, localStorage.getItem("access_token")]).toEqual(["one-time-code", null]);
    fireEvent.input(code, { target: { value: "123456" } });
    expect(await shownLocation()).toBe("/chat");
    expect(sent().at(-1)?.body).toEqual({ ticket: "the ticket", code: "123456" });
  });

  test("wrong credentials show one message, although the stored token has expired", async () => {
    fakeApi({});
    const stop = startSession();
    localStorage.setItem("access_token", tokenFor("1", -60));
    window.dispatchEvent(new StorageEvent("storage", { key: "access_token" }));
    await openScreen({ [login]: problem(401, "wrong-credentials") });
    submit("ada", "wrong words");
    expect((await screen.findByRole("alert")).textContent).toBe("The username or password is not right.");
    expect(localStorage.getItem("access_token")).toBeNull();
    expect(screen.queryByText(/You were signed out/)).toBeNull();
    stop();
  });

  test("a sign-in opens the requested chat, and never a foreign address", async () => {
    await openScreen({ [login]: { json: signedIn } }, { from: "/chat?c=42" });
    submit("ada", "secret words");
    expect(await shownLocation()).toBe("/chat?c=42");
    cleanup();
    await openScreen({}, { from: "/become-owner#key=secret" });
    expect(await shownLocation()).toMatch(/^\/become-owner/);
    cleanup();
    await openScreen({}, { from: "/chatty" });
    expect(await shownLocation()).toBe("/chat");
  });

  test("a sign-in opens verification with the typed username if the address is not verified", async () => {
    await openScreen({ [login]: { json: { ...signedIn, emailVerified: false } } });
    submit("ada", "secret words");
    expect(await shownLocation()).toBe("/verify-email?email=ada");
    expect(currentSession().token).toBeNull();
  });

  test("a sign-in opens verification instead of an error if the failure reports an unverified address", async () => {
    const detail = { message: "Please verify your email address first.", email_verified: false };
    const body = { detail, error: detail.message, code: "email-unverified" };
    await openScreen({ [login]: { status: 403, json: body } });
    submit("ada b+c", "secret words");
    expect(await shownLocation()).toBe("/verify-email?email=ada+b%2Bc");
  });

  test("a sign-in is busy while it waits for the server, then shows the failure and selects the password", async () => {
    let answer: (response: Response) => void = () => {};
    await openScreen({ [login]: () => new Promise((resolve) => (answer = resolve)) });
    submit("ada", "wrong words");
    await waitFor(() => expect(button().textContent).toBe("Signing in..."));
    expect(button().disabled).toBe(true);
    answer(new Response("Bad gateway", { status: 502 }));
    expect((await screen.findByRole("alert")).textContent).toBe("Login failed");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Password")));
    expect(button().disabled).toBe(false);
  });

  test("a refused sign-in shows the text of its code, and the next attempt clears the error", async () => {
    await openScreen({ [login]: problem(401, "wrong-credentials") });
    submit("ada", "wrong words");
    expect((await screen.findByRole("alert")).textContent).toBe("The username or password is not right.");
    fakeApi({ [login]: () => new Promise<never>(() => {}) });
    fireEvent.click(button());
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  });

  test("a sign-in shows advice if the server cannot be reached", async () => {
    await openScreen({ [login]: () => Promise.reject(new TypeError("Failed to fetch")) });
    submit("ada", "secret words");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("Login failed");
    expect(alert.textContent).toContain("Please check your connection");
  });
});

describe("a sign-in for which the server asks for a proof of work", () => {
  const challenge = "8.zz.random.signature";
  const workNeeded = problem(429, "work-needed", { work: { challenge, bits: 8 } });
  const work = expect.stringMatching(/^8\.zz\.random\.signature\.[\da-z]+$/);

  test("B2 a sign-in does the work and is sent again with it, once for each demand", async () => {
    const { sent } = await openScreen({ [login]: [workNeeded, { json: signedIn }] });
    submit("ada", "secret words");
    expect(await shownLocation()).toBe("/chat");
    const request = { username: "ada", password: "secret words" };
    expect(sent().map(({ body }) => body)).toEqual([request, { ...request, work }]);
    const [, { body }] = sent() as [unknown, { body: { work: string } }];
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body.work)));
    expect(hash[0]).toBe(0);
  });

  test("B2 a sign-in reports the refusal after three demands", async () => {
    const { sent } = await openScreen({ [login]: workNeeded });
    submit("ada", "secret words");
    expect((await screen.findByRole("alert")).textContent).toContain("many wrong passwords in your network");
    expect(sent()).toHaveLength(3);
  });

  test("B2 a sign-in reports a demand that it does not understand", async () => {
    const { sent } = await openScreen({ [login]: problem(429, "work-needed") });
    submit("ada", "secret words");
    expect(await screen.findByRole("alert")).toBeTruthy();
    expect(sent()).toHaveLength(1);
  });
});

describe("too many sign-ins", () => {
  const tooOften = (seconds: number) => () =>
    new Response(JSON.stringify({ detail: "No.", error: "No.", code: "too-many-requests" }), {
      status: 429,
      headers: { "retry-after": String(seconds) },
    });

  test("B5 too many sign-ins show the wait, and disable the button until it is over", async () => {
    await openScreen({ [login]: tooOften(4) });
    submit("ada", "wrong words");
    expect((await screen.findByRole("alert")).textContent).toContain("Too many requests. Please wait 4 seconds.");
    expect(screen.queryByRole("link", { name: "Or set a new password" })).toBeNull();
    await waitFor(() => expect(button().disabled).toBe(true));
    // The wait belongs to that account.
    fireEvent.input(screen.getByLabelText("Username"), { target: { value: "grace" } });
    expect(screen.queryByRole("alert")).toBeNull();
    expect(button().disabled).toBe(false);
  });

  test("B1 too many sign-ins offer the password reset if the wait is long", async () => {
    await openScreen({ [login]: tooOften(900) });
    submit("ada", "wrong words");
    expect((await screen.findByRole("alert")).textContent).toContain("Please wait 15 minutes.");
    fireEvent.click(screen.getByRole("link", { name: "Or set a new password" }));
    expect(await shownLocation()).toBe("/forgot-password");
  });
});

test("a sign-in that cancels the account's deletion shows a message", async () => {
  await openScreen({ [login]: { json: { ...signedIn, isKept: true } } });
  submit("ada", "secret words");
  expect(await shownLocation()).toBe("/chat");
  const entries = currentNotifications();
  expect(entries.map(({ type, text }) => [type, text])).toEqual([
    ["info", "Your account stays: it will not be deleted."],
  ]);
  for (const { id } of entries) closeNotification(id);
});

type Init = Parameters<NonNullable<NonNullable<NonNullable<typeof window.google>["accounts"]>["id"]>["initialize"]>[0];
let inits: Init[] = [];
const google = "POST /auth/google";
const withGoogle = (nonce: string) => ({ json: { ...settings, googleClientId: "client", googleNonce: nonce } });

/** Simulates the load of Google's script: waits for its element, then defines its global object. */
async function arrive() {
  const script = await waitFor(() => {
    const found = document.querySelector("script[src='https://accounts.google.com/gsi/client']");
    if (!found) throw new Error("No script yet");
    return found;
  });
  inits = [];
  window.google = { accounts: { id: { initialize: (init) => inits.push(init), renderButton: vi.fn() } } };
  await act(async () => script.dispatchEvent(new Event("load")));
  await waitFor(() => expect(inits).toHaveLength(1));
}

test("Google's script is loaded and gets the server's nonce; a failure is shown and loads a new nonce", async () => {
  // The test environment's document would fetch the script.
  const append = vi.spyOn(document.head, "append").mockImplementation((node) => document.body.append(node));
  vi.spyOn(HTMLScriptElement.prototype, "src", "set").mockImplementation(function (this: Element, value) {
    this.setAttribute("data-src", value);
  });
  const querySelector = document.querySelector.bind(document);
  vi.spyOn(document, "querySelector").mockImplementation((selectors: string) =>
    querySelector(selectors.replace("[src=", "[data-src=")),
  );
  await openScreen({ "GET /auth/config": withGoogle("one"), [google]: problem(409, "connect-google") });
  expect(screen.getByText("or")).toBeTruthy();
  await arrive();
  expect(inits[0]).toMatchObject({ client_id: "client", nonce: "one", ux_mode: "popup", auto_select: false });

  const calls = fakeApi({ "GET /auth/config": withGoogle("two"), [google]: problem(409, "connect-google") });
  await act(async () => inits[0]?.callback({ credential: "id-token" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "An account with this email address exists already. Please sign in with your password.",
  );
  expect(calls.find(({ path }) => path === "/auth/google")?.body).toEqual({ id_token: "id-token" });
  await waitFor(() => expect(inits.at(-1)?.nonce).toBe("two"));

  fakeApi({ [google]: { json: signedIn } });
  await act(async () => inits.at(-1)?.callback({ credential: "another" }));
  expect(await shownLocation()).toBe("/chat");
  expect(append).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});
