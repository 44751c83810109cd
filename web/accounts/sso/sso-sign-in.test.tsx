import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import { catchLeaving } from "../../testing/leaving.ts";
import "../../locales/i18n.ts";

const signedIn = { access_token: tokenFor("1"), user: ada, emailVerified: true };
const settings = { productName: "Salon", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: true };
const works = { slug: "works", name: "Works AG", kind: "oidc" };
const staff = { slug: "staff", name: "Staff directory", kind: "ldap" };
const proxy = { slug: "proxy", name: "Office network", kind: "header" };
const header = "POST /auth/sso/header";

function ShownLocation() {
  const { pathname, search } = useLocation();
  return <p data-testid="location">{pathname + search}</p>;
}

type Options = {
  config?: object;
  answers?: Record<string, FakeAnswer | readonly FakeAnswer[]>;
  path?: string;
  state?: unknown;
};

/** Opens a new page. Returns its session, and the live list of requests with a body. */
async function openPage({ config = {}, answers = {}, path = "/login", state = null }: Options = {}) {
  cleanup();
  vi.resetModules();
  const calls = fakeApi({ "GET /auth/config": { json: { ...settings, ...config } }, ...answers });
  const { loadAuthConfig } = await import("../auth-config.ts");
  const { LoginScreen } = await import("../sign-in/login-screen.tsx");
  const { RegisterScreen } = await import("../registration/register-screen.tsx");
  const { default: SsoScreen } = await import("../sso-return/sso-screen.tsx");
  const session = await import("../session/session.ts");
  await loadAuthConfig();
  await act(async () => {
    render(
      <MemoryRouter initialEntries={[{ pathname: path, state }]}>
        <ShownLocation />
        <Routes>
          <Route path="/login" element={<LoginScreen />} />
          <Route path="/register" element={<RegisterScreen />} />
          <Route path="/sso/:provider" element={<SsoScreen />} />
          <Route path="*" element={null} />
        </Routes>
      </MemoryRouter>,
    );
  });
  const sent = () => calls.filter(({ method }) => method === "POST").map(({ path: to, body }) => [to, body]);
  return { ...session, sent };
}

const shownLocation = () => screen.getByTestId("location").textContent;
const buttonOf = (name: string) => screen.findByRole("button", { name: `Continue with ${name}` });
const press = async (button: HTMLElement) => act(async () => fireEvent.click(button));
const names = () => screen.queryAllByRole("button", { name: /^Continue with/ }).map(({ textContent }) => textContent);

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("providers with OpenID Connect", () => {
  test("a server without identity providers shows no button and no divider", async () => {
    await openPage();
    expect(names()).toEqual([]);
    expect(screen.queryByText("or")).toBeNull();
  });

  test("each provider has a button under one divider, and a press leaves for its address", async () => {
    const urls = catchLeaving();
    const { sent } = await openPage({
      config: { identityProviders: [works, staff] },
      answers: { "POST /auth/sso/attempts": { json: { url: "https://id.example/go", state: "s1" } } },
      state: { from: "/settings/security" },
    });
    const button = await buttonOf("Works AG");
    expect(names()).toEqual(["Continue with Works AG", "Continue with Staff directory"]);
    expect(screen.getAllByText("or")).toHaveLength(1);
    await press(button);
    expect(urls).toEqual(["https://id.example/go"]);
    expect(sent()).toEqual([["/auth/sso/attempts", { provider: "works", purpose: "sign-in" }]]);
    expect(JSON.parse(sessionStorage.getItem("parley.sso") ?? "")).toEqual({
      state: "s1",
      purpose: "sign-in",
      from: "/settings/security",
    });
    expect(button.textContent).toBe("Going to Works AG…");
    await press(button);
    expect(sent()).toHaveLength(1);
    await act(async () => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
    expect(button.textContent).toBe("Continue with Works AG");
  });

  test("an attempt that the server refuses has its sentence, and the button works again", async () => {
    const urls = catchLeaving();
    const { sent } = await openPage({
      config: { identityProviders: [works] },
      answers: { "POST /auth/sso/attempts": problem(503, "sso-unavailable") },
    });
    await press(await buttonOf("Works AG"));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "The sign-in provider is not available right now. Please try again later.",
    );
    await press(await buttonOf("Works AG"));
    expect([urls, sent().length]).toEqual([[], 2]);
  });

  test("an address of another scheme than http is not opened", async () => {
    const urls = catchLeaving();
    await openPage({
      config: { identityProviders: [works] },
      answers: { "POST /auth/sso/attempts": { json: { url: "javascript:alert(1)", state: "s1" } } },
    });
    await press(await buttonOf("Works AG"));
    expect(await screen.findByRole("alert")).toBeTruthy();
    expect(urls).toEqual([]);
  });

  test("the registration page offers the providers, and only them where no password signs in", async () => {
    await openPage({ path: "/register", config: { identityProviders: [works] } });
    expect(await buttonOf("Works AG")).toBeTruthy();
    expect(screen.getByLabelText("Email")).toBeTruthy();
    await openPage({ path: "/register", config: { identityProviders: [works], isSsoOnly: true } });
    expect(await buttonOf("Works AG")).toBeTruthy();
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(screen.queryByText("or")).toBeNull();
  });

  test("where people sign in by providers alone, the page has no password, no registration and no divider", async () => {
    await openPage({ config: { identityProviders: [works], isSsoOnly: true, hasPasskeys: true } });
    expect(await buttonOf("Works AG")).toBeTruthy();
    expect(screen.queryByLabelText("Password")).toBeNull();
    expect(screen.queryByText("or")).toBeNull();
    expect(screen.getAllByRole("button")).toHaveLength(1);
    expect(within(screen.getByRole("main")).getAllByRole("link").length).toBe(1);
  });
});

describe("directories", () => {
  const form = async () => {
    await screen.findByRole("heading", { level: 1, name: "Sign In with Staff directory" });
    return screen.getByRole("form");
  };
  const submit = async (username: string, password: string) => {
    fireEvent.change(within(await form()).getByLabelText("Username"), { target: { value: username } });
    fireEvent.change(within(await form()).getByLabelText("Password"), { target: { value: password } });
    await press(screen.getByRole("button", { name: "Sign In" }));
  };

  test("a directory asks for name and password on a screen of its own, and opens the requested page", async () => {
    const { sent, currentSession } = await openPage({
      config: { identityProviders: [staff] },
      answers: { "POST /auth/sso/directory": [problem(401, "wrong-credentials"), { json: signedIn }] },
      state: { from: "/settings/security" },
    });
    await press(await buttonOf("Staff directory"));
    expect(shownLocation()).toBe("/sso/staff");
    await submit("", "");
    const username = within(await form()).getByLabelText("Username");
    expect(username.getAttribute("aria-invalid")).toBe("true");
    expect(sent()).toEqual([]);
    await submit("ada", "wrong");
    expect((await screen.findByRole("alert")).textContent).toBe("The username or password is not right.");
    expect(document.activeElement).toBe(within(await form()).getByLabelText("Password"));
    await submit("ada", "right");
    expect(currentSession().isSignedIn).toBe(true);
    expect(shownLocation()).toBe("/settings/security");
    expect(sent().at(-1)).toEqual(["/auth/sso/directory", { provider: "staff", username: "ada", password: "right" }]);
  });

  test("a directory whose account has an unverified address leads to the verification", async () => {
    await openPage({
      path: "/sso/staff",
      config: { identityProviders: [staff] },
      answers: {
        "POST /auth/sso/directory": problem(403, "email-unverified", {
          detail: { message: "Please verify.", email_verified: false },
        }),
      },
    });
    await submit("ada", "right");
    expect(shownLocation()).toBe("/verify-email");
  });
});

describe("the header of a proxy", () => {
  const only = { identityProviders: [proxy], isSsoOnly: true };

  test("a press signs in", async () => {
    const { sent, currentSession } = await openPage({
      config: { identityProviders: [proxy, works] },
      answers: { [header]: { json: signedIn } },
    });
    await press(await buttonOf("Office network"));
    expect(currentSession().isSignedIn).toBe(true);
    expect([shownLocation(), sent()]).toEqual(["/chat", [["/auth/sso/header", {}]]]);
  });

  test("the only way signs in by itself, and after a sign-out only by a press, also on a new page", async () => {
    const answers = { [header]: { json: signedIn }, "POST /auth/logout": () => new Response(null, { status: 204 }) };
    const first = await openPage({ config: only, answers });
    await vi.waitFor(() => expect(first.currentSession().isSignedIn).toBe(true));
    await act(() => first.signOut());
    const second = await openPage({ config: only, answers });
    const button = await buttonOf("Office network");
    expect(second.sent()).toEqual([]);
    await press(button);
    expect(second.currentSession().isSignedIn).toBe(true);
  });

  test("a refused sign-in is not repeated by itself", async () => {
    const { sent } = await openPage({ config: only, answers: { [header]: problem(401, "not-signed-in") } });
    expect((await screen.findByRole("alert")).textContent).toBe("Please sign in.");
    expect(sent()).toHaveLength(1);
    expect(await buttonOf("Office network")).toBeTruthy();
  });

  test("an expired session begins again by itself", async () => {
    localStorage.setItem("parley.headerSignIn", "1");
    localStorage.setItem("access_token", tokenFor("1", -5));
    localStorage.setItem("user", JSON.stringify(ada));
    const { currentSession } = await openPage({ config: only, answers: { [header]: { json: signedIn } } });
    await vi.waitFor(() => expect(currentSession().isSignedIn).toBe(true));
  });
});
