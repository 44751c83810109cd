import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import { catchLeaving } from "../../testing/leaving.ts";
import "../../locales/i18n.ts";
import { loadAuthConfig } from "../auth-config.ts";
import { currentSession, forgetSession, signIn } from "../session/session.ts";
import { LoginScreen } from "../sign-in/login-screen.tsx";
import { secondStep } from "../sign-in/second-step.ts";
import SsoScreen from "../sso-return/sso-screen.tsx";
import { RegisterScreen } from "./register-screen.tsx";

type Callback = (answer: { credential?: string }) => void;
let callGoogle: Callback | null = null;
vi.mock("../sign-in/google-identity.ts", () => ({
  loadGoogleIdentity: async () => ({
    initialize: ({ callback }: { callback: Callback }) => {
      callGoogle = callback;
    },
    renderButton: () => {},
  }),
}));

const readInvitation = "POST /auth/invitation";
const register = "POST /auth/users/register";
const google = "POST /auth/google";
const settings = { productName: "Salon", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: false };
const invitation = { inviter: "Ada Lovelace", productName: "Salon" };
const bound = { ...invitation, address: "grace@example.com" };
const key = "k-9_secret";
const signedIn = { access_token: tokenFor("1"), user: ada, emailVerified: true };

function ShownLocation() {
  const { pathname, search, hash } = useLocation();
  return <p data-testid="location">{pathname + search + hash}</p>;
}

type Options = {
  answers?: Record<string, FakeAnswer | readonly FakeAnswer[]>;
  config?: object;
  path?: string;
};

/** Opens the link of an invitation. Returns the live list of requests that have a body. */
async function openLink({ answers = {}, config = {}, path = `/register#invitation=${key}` }: Options = {}) {
  const calls = fakeApi({
    "GET /auth/config": { json: { ...settings, ...config } },
    [readInvitation]: { json: invitation },
    ...answers,
  });
  await loadAuthConfig();
  await act(async () => {
    render(
      <StrictMode>
        <MemoryRouter initialEntries={[path]}>
          <ShownLocation />
          <Routes>
            <Route path="/register" element={<RegisterScreen />} />
            <Route path="/login" element={<LoginScreen />} />
            <Route path="/sso/:provider" element={<SsoScreen />} />
            <Route path="*" element={null} />
          </Routes>
        </MemoryRouter>
      </StrictMode>,
    );
  });
  return () => calls.filter(({ method }) => method === "POST").map(({ path: to, body }) => [to, body]);
}

const shownLocation = () => screen.getByTestId("location").textContent;
const email = () => screen.findByLabelText<HTMLInputElement>("Email");
const title = (name: string) => screen.findByRole("heading", { level: 1, name });
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));

const names = { "First Name": "Grace", "Last Name": "Hopper", Username: "grace1" };
const passwords = { Password: "long enough", "Confirm Password": "long enough" };
async function fillIn(values: Record<string, string> = {}) {
  await email();
  for (const [label, value] of Object.entries({ ...names, ...passwords, ...values })) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  }
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Create Account" });
  await waitFor(() => expect(button.disabled).toBe(false));
  await act(async () => fireEvent.click(button));
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  forgetSession();
  secondStep.set(null);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("valid invitations", () => {
  test("an invitation admits a person while registration is closed, and names the inviter", async () => {
    const sent = await openLink({ answers: { [register]: { status: 201, json: {} } } });
    expect(await screen.findByText("Ada Lovelace invites you to Salon.")).toBeTruthy();
    await fillIn({ Email: "grace@example.com" });
    expect(await title("Registration Successful!")).toBeTruthy();
    expect(sent()).toEqual([
      ["/auth/invitation", { key }],
      [
        "/auth/users/register",
        {
          ...{ firstname: "Grace", lastname: "Hopper", username: "grace1", email: "grace@example.com" },
          ...{ password: "long enough", invitation: key },
        },
      ],
    ]);
  });

  test("an invitation whose inviter is deleted is still valid", async () => {
    await openLink({ answers: { [readInvitation]: { json: { productName: "Salon" } } } });
    expect(await screen.findByText("You are invited to Salon.")).toBeTruthy();
  });

  test("an invitation of one address fills it in, and it cannot be changed", async () => {
    const sent = await openLink({
      answers: { [readInvitation]: { json: bound }, [register]: { status: 201, json: {} } },
      path: `/register?email=other@example.com#invitation=${key}`,
    });
    const field = await email();
    expect([field.value, field.readOnly]).toEqual(["grace@example.com", true]);
    const note = document.getElementById(field.getAttribute("aria-describedby") ?? "");
    expect(note?.textContent).toBe("The invitation is for this address.");
    await fillIn();
    expect(sent()[1]).toMatchObject(["/auth/users/register", { email: "grace@example.com", invitation: key }]);
  });

  test("P4 the invitation's key leaves the address at once, survives a reload, and is removed after its use", async () => {
    const log = vi.spyOn(console, "warn");
    await openLink({ path: `/register?email=grace@example.com#invitation=${key}` });
    expect((await email()).value).toBe("grace@example.com");
    expect(shownLocation()).toBe("/register?email=grace@example.com");
    cleanup();
    const answers = { [register]: { status: 201, json: {} } };
    const sent = await openLink({ answers, path: "/register" });
    await fillIn({ Email: "grace@example.com" });
    expect(await title("Registration Successful!")).toBeTruthy();
    expect(sent()[0]).toEqual(["/auth/invitation", { key }]);
    expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }, log.mock.calls])).not.toContain(key);
    cleanup();
    await openLink({ path: "/register" });
    expect(screen.getByText(/New accounts are not open here/)).toBeTruthy();
  });

  test("an invitation works in a browser that forbids its storage", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const refuse = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    const storage = vi.spyOn(globalThis, "sessionStorage", "get").mockImplementation(refuse);
    await openLink();
    expect(await screen.findByText("Ada Lovelace invites you to Salon.")).toBeTruthy();
    expect(shownLocation()).toBe("/register");
    storage.mockRestore();
  });

  test("a failed check of an invitation can be retried", async () => {
    const offline = () => Promise.reject(new TypeError("Failed to fetch"));
    await openLink({ answers: { [readInvitation]: [offline, { json: invitation }] } });
    expect((await screen.findByRole("alert")).textContent).toContain("This link could not be opened");
    await press("Try Again");
    expect(await screen.findByText("Ada Lovelace invites you to Salon.")).toBeTruthy();
  });
});

describe("ended invitations", () => {
  const dead = problem(400, "bad-invitation");
  const advice = /Please ask the person who sent it for a new one/;

  test("an ended invitation offers no form while registration is closed, and explains the next step", async () => {
    await openLink({ answers: { [readInvitation]: dead } });
    expect(await title("This Link No Longer Works")).toBeTruthy();
    expect(screen.getByText(advice)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.getByRole("link", { name: "Sign in here" })).toBeTruthy();
  });

  test("an ended invitation leads to the usual form while registration is open", async () => {
    const answers = { [readInvitation]: dead, [register]: { status: 201, json: {} } };
    const sent = await openLink({ answers, config: { registrationOpen: true } });
    expect(await screen.findByText(advice)).toBeTruthy();
    await press("Create an account");
    await fillIn({ Email: "grace@example.com" });
    expect(sent()[1]?.[1]).not.toHaveProperty("invitation");
    expect(sessionStorage).toHaveLength(0);
  });

  test("an invitation that ends while the form is filled in shows a message", async () => {
    await openLink({ answers: { [readInvitation]: { json: bound }, [register]: dead } });
    await fillIn();
    expect(await title("This Link No Longer Works")).toBeTruthy();
  });
});

describe("invitations with Google", () => {
  const withGoogle = () => Response.json({ ...settings, googleClientId: "client", googleNonce: crypto.randomUUID() });
  const openWithGoogle = async (answer: FakeAnswer) => {
    callGoogle = null;
    const sent = await openLink({ answers: { "GET /auth/config": withGoogle, [google]: answer } });
    await waitFor(() => expect(callGoogle).not.toBeNull());
    await act(async () => callGoogle?.({ credential: "id-token" }));
    return sent;
  };

  test("a sign-in with Google sends the invitation's key and opens the chats", async () => {
    const sent = await openWithGoogle({ json: signedIn });
    expect(shownLocation()).toBe("/chat");
    expect(sent()[1]).toEqual(["/auth/google", { id_token: "id-token", invitation: key }]);
    expect(currentSession().isSignedIn).toBe(true);
    expect(sessionStorage).toHaveLength(0);
  });

  test("a sign-in with Google that needs a second factor opens the second step, and stores neither a session nor the ticket", async () => {
    await openWithGoogle(problem(403, "second-factor-needed", { ticket: "the ticket" }));
    expect(await title("One more step")).toBeTruthy();
    expect([currentSession().isSignedIn, shownLocation()]).toEqual([false, "/login"]);
    expect(localStorage.getItem("access_token")).toBeNull();
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain("the ticket");
  });

  test("a refused sign-in with Google shows the reason", async () => {
    await openWithGoogle(problem(403, "invitation-address"));
    expect((await screen.findByRole("alert")).textContent).toContain("This invitation is for another email address.");
  });

  test("a sign-in with Google shows that the invitation has ended meanwhile", async () => {
    await openWithGoogle(problem(400, "bad-invitation"));
    expect(await title("This Link No Longer Works")).toBeTruthy();
  });
});

describe("invitations with identity providers", () => {
  const provider = (kind: "oidc" | "ldap" | "header") => ({ slug: kind, name: "Works AG", kind });
  const openWith = (kind: "oidc" | "ldap" | "header", answers: Record<string, FakeAnswer>) =>
    openLink({ config: { identityProviders: [provider(kind)], isSsoOnly: true }, answers });
  const pressProvider = async () => {
    await screen.findByRole("button", { name: "Continue with Works AG" });
    await press("Continue with Works AG");
  };

  test("an attempt remembers the invitation's key, and the page asks for no password", async () => {
    const urls = catchLeaving();
    await openWith("oidc", { "POST /auth/sso/attempts": { json: { url: "https://id.example/go", state: "s1" } } });
    expect(screen.queryByLabelText("Password")).toBeNull();
    await pressProvider();
    expect(urls).toEqual(["https://id.example/go"]);
    expect(JSON.parse(sessionStorage.getItem("parley.sso") ?? "")).toMatchObject({ state: "s1", invitation: key });
  });

  test("a directory gets the invitation's key, which is forgotten with the sign-in", async () => {
    const sent = await openWith("ldap", { "POST /auth/sso/directory": { json: signedIn } });
    await pressProvider();
    fireEvent.change(await screen.findByLabelText("Username"), { target: { value: "ada" } });
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "secret words" } });
    await press("Sign In");
    expect(sent().at(-1)).toMatchObject(["/auth/sso/directory", { username: "ada", invitation: key }]);
    expect([shownLocation(), sessionStorage.length]).toEqual(["/chat", 0]);
  });

  test("a sign-in by a proxy uses the invitation, and shows that it has ended meanwhile", async () => {
    const sent = await openWith("header", { "POST /auth/sso/header": problem(404, "bad-invitation") });
    await screen.findByRole("button", { name: "Continue with Works AG" });
    expect(sent()).toHaveLength(1);
    await pressProvider();
    expect(sent().at(-1)).toEqual(["/auth/sso/header", { invitation: key }]);
    expect(await title("This Link No Longer Works")).toBeTruthy();
  });
});

describe("invitations of a signed-in person", () => {
  const answers = { "GET /auth/me": { json: ada }, "POST /auth/logout": { json: {} } };

  test("a signed-in person with an invitation can open the chats", async () => {
    signIn(signedIn);
    await openLink({ answers });
    expect(await title("You Are Already Signed In")).toBeTruthy();
    expect(screen.getByText(/In this browser you are signed in as ada\./)).toBeTruthy();
    await press("Open Salon");
    expect(shownLocation()).toBe("/chat");
    expect(currentSession().isSignedIn).toBe(true);
    expect(sessionStorage).toHaveLength(0);
  });

  test("a signed-in person can sign out and use the invitation", async () => {
    signIn(signedIn);
    const sent = await openLink({ answers: { ...answers, [register]: { status: 201, json: {} } } });
    await title("You Are Already Signed In");
    await press("Sign Out and Use the Invitation");
    await fillIn({ Email: "grace@example.com" });
    expect(await title("Registration Successful!")).toBeTruthy();
    expect(sent().map(([path]) => path)).toEqual(["/auth/invitation", "/auth/logout", "/auth/users/register"]);
  });

  test("a person whose session has ended elsewhere gets the form of the invitation", async () => {
    signIn(signedIn);
    await openLink({ answers: { "GET /auth/me": problem(401, "unauthorized") } });
    expect(await email()).toBeTruthy();
  });
});
