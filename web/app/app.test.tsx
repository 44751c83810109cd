import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter, useLocation, useNavigate } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { modelPaths } from "#contract/models/paths.ts";
import { currentSession, signIn, signOut, startSession } from "../accounts/session/session.ts";
import { api } from "../api/client.ts";
import { ada, fakeApi, problem, tokenFor } from "../testing/fakes/fake-api.ts";
import "../locales/i18n.ts";
import { AppRoutes } from "./app.tsx";
import { SessionLostRedirect } from "./session-lost-redirect.tsx";

vi.mock("./chat-page.tsx", () => ({ default: () => <h1>Chat page</h1> }));

const config = {
  json: { productName: "Salon", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: true },
};
const refused = problem(401, "not-signed-in");
const answers = { "GET /auth/config": config, "GET /models": refused, "POST /auth/logout": { json: {} } };
const signedIn = { access_token: tokenFor("1"), user: ada, emailVerified: true };

let go: (path: string) => void = () => {};
let stop: () => void = () => {};

function ShownLocation() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  go = (path) => void navigate(path);
  return <p data-testid="location">{pathname + search}</p>;
}

function open(path: string) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <SessionLostRedirect />
      <ShownLocation />
      <AppRoutes />
    </MemoryRouter>,
  );
}

const shownLocation = () => screen.getByTestId("location").textContent;
const title = async () => (await screen.findByRole("heading", { level: 1 })).textContent;
const meetRefusal = () => act(() => api.open(modelPaths.models).then(() => undefined));

beforeEach(() => {
  localStorage.clear();
  fakeApi(answers);
  stop = startSession();
});
afterEach(async () => {
  cleanup();
  await signOut();
  stop();
  vi.unstubAllGlobals();
});

describe("routes", () => {
  test.each(["/", "/chat"])("the path %s redirects a visitor to sign-in", async (path) => {
    open(path);
    expect(await title()).toContain("Chat Login");
    expect(shownLocation()).toBe("/login");
    await waitFor(() => expect(document.title).toBe("Sign in · Salon"));
  });

  test("the empty path redirects a signed-in person to the chats", async () => {
    signIn(signedIn);
    open("/");
    expect(await title()).toBe("Chat page");
    expect(shownLocation()).toBe("/chat");
  });

  test("the path /settings leads to the page of the account", async () => {
    signIn(signedIn);
    open("/settings");
    await waitFor(() => expect(shownLocation()).toBe("/settings/account"));
  });

  test.each([
    ["presets", "/settings/chat"],
    ["unheard-of", "/settings/unheard-of"],
  ])("the path /settings/%s leads to %s", async (word, path) => {
    signIn(signedIn);
    open(`/settings/${word}`);
    expect(await title()).toBe(path === "/settings/chat" ? "Instructions and presets" : "There is nothing here");
    expect(shownLocation()).toBe(path);
  });

  test("an expired sign-in counts as none", async () => {
    signIn({ ...signedIn, access_token: tokenFor("1", -1) });
    open("/chat");
    await waitFor(() => expect(shownLocation()).toBe("/login"));
  });

  test.each([
    ["/register", "Create Account"],
    ["/verify-email", "Verify Your Email"],
    ["/nowhere", "There is nothing here"],
  ])("the path %s is open without a session", async (path, heading) => {
    open(path);
    expect(await title()).toBe(heading);
  });
});

describe("the end of a session", () => {
  test("a session that the server refuses at the chats leads to sign-in, and then back to the same chat", async () => {
    signIn(signedIn);
    open("/chat?c=42");
    expect(await title()).toBe("Chat page");
    await meetRefusal();
    expect(await title()).toContain("Chat Login");
    expect(currentSession().token).toBeNull();
    act(() => signIn(signedIn));
    await waitFor(() => expect(shownLocation()).toBe("/chat?c=42"));
  });

  test("a session that the server refuses on another page leads to sign-in", async () => {
    signIn(signedIn);
    open("/register");
    await title();
    await meetRefusal();
    await waitFor(() => expect(shownLocation()).toBe("/login"));
  });

  test("a sign-out leads to sign-in, and the next account does not open this one's chat", async () => {
    signIn(signedIn);
    open("/chat?c=42");
    expect(await title()).toBe("Chat page");
    await act(() => signOut());
    expect(await title()).toContain("Chat Login");
    act(() => signIn(signedIn));
    await waitFor(() => expect(shownLocation()).toBe("/chat"));
  });
});

test("a navigation moves the focus to the page's title, so that screen readers announce it", async () => {
  open("/register");
  await title();
  act(() => go("/verify-email"));
  const heading = await screen.findByRole("heading", { name: "Verify Your Email" });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});
