import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { loadAuthConfig } from "../auth-config.ts";
import { currentSession, forgetSession, signIn } from "../session/session.ts";
import { LoginScreen } from "../sign-in/login-screen.tsx";
import { ConfirmEmailScreen, KeepFactorScreen, LoseFactorScreen, UndoEmailScreen } from "./email-link-screens.tsx";
import { ForgotPasswordScreen } from "./forgot-password-screen.tsx";

const confirm = "POST /auth/email/confirm";
const undo = "POST /auth/email/undo";
const lose = "POST /auth/second-factor/loss";
const keep = "POST /auth/second-factor/keep";
const readLink = "POST /auth/mailed-key";
const me = "GET /auth/me";
const purposes: Record<string, string> = {
  "/reset-password": "reset-password",
  "/confirm-email": "change-email",
  "/undo-email": "undo-email",
  "/lose-factor": "lose-factor",
  "/keep-factor": "keep-factor",
};
/** The server's response about a key of ada's. */
const known = (path: string, username = "ada") => ({
  json: { purpose: purposes[path.split(/[?#]/)[0] ?? ""], username },
});
const settings = { productName: "Salon", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: true };
const nothing = () => new Response(null, { status: 204 });

function ShownLocation() {
  const { pathname, search, hash } = useLocation();
  return <p data-testid="location">{pathname + search + hash}</p>;
}

async function openScreen(path: string, answers: Record<string, FakeAnswer> = {}) {
  const calls = fakeApi({
    "GET /auth/config": { json: settings },
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
          <Route path="/confirm-email" element={<ConfirmEmailScreen />} />
          <Route path="/undo-email" element={<UndoEmailScreen />} />
          <Route path="/lose-factor" element={<LoseFactorScreen />} />
          <Route path="/keep-factor" element={<KeepFactorScreen />} />
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
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
const namesShown = () =>
  screen.getAllByRole("term").map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);
const title = (name: string) => screen.findByRole("heading", { level: 1, name });
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  forgetSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Pages of mailed links that act after a click. */
const actingLinks = ["/confirm-email", "/undo-email", "/lose-factor", "/keep-factor"];

describe("mailed links about the address and the second factor", () => {
  test("D6 L2 a mailed link confirms once after a click, and refreshes the signed-in user", async () => {
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    const { sent, posts } = await openScreen("/confirm-email#key=k%2B1", {
      [confirm]: nothing,
      [me]: { json: { ...ada, email: "new@example.com" } },
    });
    await title("Confirm Your New Address?");
    expect(shownLocation()).toBe("/confirm-email");
    expect(namesShown()).toEqual(["Account: ada"]);
    expect(posts()).toEqual([["/auth/mailed-key", { key: "k+1" }]]);
    fireEvent.click(button("Confirm Address"));
    fireEvent.click(button(/Confirm/));
    await title("Address Confirmed!");
    expect(screen.getByText(/in another browser.* all devices were signed out/)).toBeTruthy();
    expect(sent()).toEqual([["/auth/email/confirm", { key: "k+1" }]]);
    expect(currentSession().user?.email).toBe("new@example.com");
    fireEvent.click(button("Go to Your Chats"));
    expect(shownLocation()).toBe("/chat");
  });

  test("L2 a mailed link undoes the change after a click, reports the ended sessions, and links to a new password", async () => {
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    const { sent } = await openScreen("/undo-email?key=k", { [undo]: nothing, [me]: problem(401, "not-signed-in") });
    await title("Restore Your Former Address?");
    expect([sent(), shownLocation()]).toEqual([[], "/undo-email"]);
    fireEvent.click(button("Restore Address"));
    await title("Address Restored");
    expect(screen.getByText(/was signed out on all devices/)).toBeTruthy();
    expect(currentSession().isSignedIn).toBe(false);
    expect(sent()).toEqual([["/auth/email/undo", { key: "k" }]]);
    fireEvent.click(button("Set a New Password"));
    expect(shownLocation()).toBe("/forgot-password");
    expect(field("Email or username").value).toBe("");
  });

  test("a mailed link lets a lost second factor end after a click only, and opens sign-in", async () => {
    const { sent } = await openScreen("/lose-factor#key=k", { [lose]: { json: { endsAt: Date.now() } } });
    await title("Have You Lost Your Second Factor?");
    expect([sent(), namesShown(), shownLocation()]).toEqual([[], ["Account: ada"], "/lose-factor"]);
    fireEvent.click(button("I Have Lost It"));
    await title("The Second Factor Will End");
    expect(sent()).toEqual([["/auth/second-factor/loss", { key: "k" }]]);
    fireEvent.click(button("Go to Sign In"));
    expect(shownLocation()).toBe("/login");
  });

  test("a mailed link keeps a second factor after a click only, and leads to a new password", async () => {
    const { sent } = await openScreen("/keep-factor#key=k", { [keep]: nothing });
    await title("Keep Your Second Factor?");
    expect([sent(), shownLocation()]).toEqual([[], "/keep-factor"]);
    fireEvent.click(button("Keep It"));
    await title("The Second Factor Stays");
    expect(sent()).toEqual([["/auth/second-factor/keep", { key: "k" }]]);
    fireEvent.click(button("Set a New Password"));
    expect(shownLocation()).toBe("/forgot-password");
  });

  test.each(actingLinks)("L1 %s names both accounts if another is signed in", async (path) => {
    signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
    const { sent } = await openScreen(`${path}#key=k`, { [readLink]: known(path, "eve") });
    expect(namesShown()).toEqual(["Signed in here: ada", "Account of this link: eve"]);
    expect(screen.getByText(/The account that is signed in here does not change\.$/)).toBeTruthy();
    expect(sent()).toEqual([]);
    fireEvent.click(screen.getByRole("link", { name: "Go to your chats" }));
    expect(shownLocation()).toBe("/chat");
  });

  test.each(actingLinks)("%s shows a message if the key is missing or invalid", async (path) => {
    const { posts } = await openScreen(path);
    await title("Open the Link Again");
    expect(screen.queryByText(/administrator/)).toBeNull();
    expect(posts()).toEqual([]);
    const bad = problem(400, "bad-link");
    for (const answer of [bad, known("/reset-password")]) {
      cleanup();
      await openScreen(`${path}#key=k`, { [readLink]: answer });
      await title("This Link No Longer Works");
    }
    cleanup();
    await openScreen(`${path}#key=k`, { [confirm]: bad, [undo]: bad, [lose]: bad, [keep]: bad });
    fireEvent.click(button(/^(Confirm Address|Restore Address|I Have Lost It|Keep It)$/));
    await title("This Link No Longer Works");
  });

  test("a mailed link retains its key for a retry if the server could not be reached", async () => {
    const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));
    await openScreen("/confirm-email#key=k", { [readLink]: unreachable });
    expect((await screen.findByRole("alert")).textContent).toContain("Please check your connection");
    fakeApi({ [readLink]: known("/confirm-email"), [confirm]: unreachable });
    fireEvent.click(button("Try Again"));
    await title("Confirm Your New Address?");
    fireEvent.click(button("Confirm Address"));
    expect((await screen.findByRole("alert")).textContent).toContain("Please check your connection");
    const calls = fakeApi({ [confirm]: nothing });
    fireEvent.click(button("Confirm Address"));
    await title("Address Confirmed!");
    expect(calls.map(({ body }) => body)).toEqual([{ key: "k" }]);
  });
});
