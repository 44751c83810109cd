import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { clearNotifications, currentNotifications } from "../../ui/notifications/notify.ts";
import { loadAuthConfig } from "../auth-config.ts";
import { currentSession, forgetSession, signIn } from "../session/session.ts";
import { LoginScreen } from "../sign-in/login-screen.tsx";
import { closeSecondStep } from "../sign-in/second-step.ts";
import { pendingConnection } from "../sso/pending-connection.ts";
import SsoScreen from "./sso-screen.tsx";

const signedIn = { access_token: tokenFor("1"), user: ada, emailVerified: true };
const config = {
  ...{ productName: "Salon", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true },
  identityProviders: [{ slug: "works", name: "Works AG", kind: "oidc" }],
};
const sso = { provider: "works", code: "c0de", state: "s1", iss: "https://id.example" };
const answered = "?code=c0de&state=s1&iss=https%3A%2F%2Fid.example";

function ShownLocation() {
  const { pathname, search } = useLocation();
  return <p data-testid="location">{pathname + search}</p>;
}

type Options = {
  search?: string;
  attempt?: object | null;
  answers?: Record<string, FakeAnswer | readonly FakeAnswer[]>;
};

/** Returns from the provider. Returns the live list of requests with a body. */
async function comeBack({ search = answered, attempt = null, answers = {} }: Options) {
  if (attempt) sessionStorage.setItem("parley.sso", JSON.stringify({ state: "s1", from: "/chat", ...attempt }));
  const calls = fakeApi({ "GET /auth/config": { json: config }, ...answers });
  await loadAuthConfig();
  await act(async () => {
    render(
      <StrictMode>
        <MemoryRouter initialEntries={[`/sso/works${search}`]}>
          <ShownLocation />
          <Routes>
            <Route path="/sso/:provider" element={<SsoScreen />} />
            <Route path="/login" element={<LoginScreen />} />
            <Route path="*" element={null} />
          </Routes>
        </MemoryRouter>
      </StrictMode>,
    );
  });
  return () => calls.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);
}

const shownLocation = () => screen.getByTestId("location").textContent;
const alertText = async () => (await screen.findByRole("alert")).textContent;
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));
const signInAda = () => signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  forgetSession();
  closeSecondStep();
  pendingConnection.set(null);
  clearNotifications();
  vi.unstubAllGlobals();
});

describe("the return of a sign-in", () => {
  test("an answer signs in once, with the invitation, and opens the page that was requested", async () => {
    sessionStorage.setItem("parley.invitation", "the key");
    const attempt = { purpose: "sign-in", from: "/settings/security", invitation: "the key" };
    const sent = await comeBack({ attempt, answers: { "POST /auth/sso": { json: signedIn } } });
    expect(shownLocation()).toBe("/settings/security");
    expect(currentSession().isSignedIn).toBe(true);
    expect(sent()).toEqual([["/auth/sso", { sso, invitation: "the key" }]]);
    expect(sessionStorage).toHaveLength(0);
  });

  test("the answer leaves the address at once, while its check is announced", async () => {
    await comeBack({ attempt: { purpose: "sign-in" }, answers: { "POST /auth/sso": () => new Promise(() => {}) } });
    expect(shownLocation()).toBe("/sso/works");
    expect(screen.getByRole("status").textContent).toBe("Checking the answer of your provider…");
  });

  test("an account with a second factor continues with its step, and then with the requested page", async () => {
    await comeBack({
      attempt: { purpose: "sign-in", from: "/settings/security" },
      answers: {
        "POST /auth/sso": problem(403, "second-factor-needed", { ticket: "t" }),
        "POST /auth/second-step": { json: signedIn },
      },
    });
    await screen.findByLabelText("Code");
    fireEvent.change(screen.getByLabelText("Code"), { target: { value: "abcd" } });
    await press("Sign In");
    expect(shownLocation()).toBe("/settings/security");
  });

  test("an unverified address leads to the verification", async () => {
    const detail = { message: "Please verify.", email_verified: false };
    await comeBack({
      attempt: { purpose: "sign-in" },
      answers: { "POST /auth/sso": problem(403, "email-unverified", { detail }) },
    });
    expect(shownLocation()).toBe("/verify-email");
  });

  test.each([
    ["connect-identity", /^An account with this email address exists already\./],
    ["sso-no-address", /^The sign-in provider gave no email address/],
    ["registration-closed", /^New accounts are not open here\./],
    ["bad-sso-answer", /^The sign-in by your provider could not be confirmed\./],
    ["not-found", /^The sign-in by your provider did not work\./],
  ])("a refusal by %s has its sentence, and leads back to the sign-in", async (code, text) => {
    await comeBack({ attempt: { purpose: "sign-in" }, answers: { "POST /auth/sso": problem(409, code) } });
    expect(await alertText()).toMatch(text);
    await press("Back to sign in");
    expect(shownLocation()).toBe("/login");
    expect(await screen.findByRole("button", { name: "Continue with Works AG" })).toBeTruthy();
  });

  test.each([
    ["access_denied", "The sign-in at your provider was cancelled or refused."],
    ["temporarily_unavailable", "Your provider cannot sign you in right now. Please try again later."],
    ["invalid_scope", "Your provider reported an error (invalid_scope). Please try again, or tell your administrator."],
    ["Call 555 now", "The sign-in by your provider did not work. Please try again."],
  ])("the error %s of a provider is explained in words", async (error, text) => {
    const sent = await comeBack({
      search: `?${new URLSearchParams({ error, state: "s1" })}`,
      attempt: { purpose: "sign-in" },
    });
    expect(await alertText()).toBe(text);
    expect([shownLocation(), sent()]).toEqual(["/sso/works", []]);
  });

  test("an answer whose attempt this tab does not have is one of a sign-in, unless somebody is signed in", async () => {
    const sent = await comeBack({ answers: { "POST /auth/sso": { json: signedIn } } });
    expect([shownLocation(), sent()]).toEqual(["/chat", [["/auth/sso", { sso }]]]);
    cleanup();
    expect((await comeBack({ attempt: { purpose: "sign-in", state: "another" } }))()).toEqual([]);
    expect(shownLocation()).toBe("/chat");
  });

  test("the address without an answer leads to the sign-in", async () => {
    await comeBack({ search: "" });
    expect(shownLocation()).toBe("/login");
  });
});

describe("the return of a signed-in person", () => {
  test("a proof is sent, confirmed in a sentence, and the person is on the page that asked", async () => {
    signInAda();
    const sent = await comeBack({
      attempt: { purpose: "prove", from: "/settings/account" },
      answers: { "POST /auth/proof": { json: { provedUntil: 5 } } },
    });
    expect([shownLocation(), sent()]).toEqual(["/settings/account", [["/auth/proof", { sso }]]]);
    expect(currentNotifications().map(({ text }) => text)).toEqual([
      "It is confirmed that it is you. For ten minutes you are not asked again.",
    ]);
  });

  test("a refused proof leads back to the page that asked", async () => {
    signInAda();
    await comeBack({
      attempt: { purpose: "prove", from: "/settings/account" },
      answers: { "POST /auth/proof": problem(400, "bad-sso-answer") },
    });
    expect(await alertText()).toMatch(/could not be confirmed/);
    await press("Go back");
    expect(shownLocation()).toBe("/settings/account");
  });

  test("a connection is passed to the page of security", async () => {
    signInAda();
    const sent = await comeBack({ attempt: { purpose: "connect", from: "/settings/security" } });
    expect([shownLocation(), sent(), pendingConnection.get()]).toEqual(["/settings/security", [], sso]);
  });

  test("a person whose session has ended meanwhile signs in first", async () => {
    const sent = await comeBack({ attempt: { purpose: "connect", from: "/settings/security" } });
    expect([shownLocation(), sent(), pendingConnection.get()]).toEqual(["/login", [], null]);
  });
});
