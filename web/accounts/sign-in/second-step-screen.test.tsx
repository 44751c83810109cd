import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ada, type FakeAnswer, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { signInConfig, takeFirstStep, ticket } from "../../testing/first-step.tsx";
import { clearNotifications, currentNotifications } from "../../ui/notifications/notify.ts";
import { webauthnModule } from "../passkeys/lazy-webauthn.ts";
import { currentSession, forgetSession } from "../session/session.ts";
import { secondStep } from "./second-step.ts";

const step = "POST /auth/second-step";
const loss = "POST /auth/second-step/loss";
const signedIn = { access_token: tokenFor("1"), user: ada, emailVerified: true };

/** Types the password of an account with a second factor. Returns the live list of later requests with a body. */
const openStep = (answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}, state: unknown = null) =>
  takeFirstStep({ demand: "second-factor-needed", answers, state, title: "One more step" });

const title = (name: string) => screen.findByRole("heading", { level: 1, name });
const shownLocation = async () => (await screen.findByTestId("location")).textContent;
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const press = (name: string) => act(async () => fireEvent.click(button(name)));
const field = (label = "Code") => screen.getByLabelText<HTMLInputElement>(label);
const noteOf = (label = "Code") => document.getElementById(field(label).getAttribute("aria-describedby") ?? "");
const type = (value: string, label = "Code") => act(async () => fireEvent.input(field(label), { target: { value } }));
const tooOften = () =>
  new Response(JSON.stringify({ detail: "No.", error: "No.", code: "too-many-requests" }), {
    status: 429,
    headers: { "retry-after": "42" },
  });
const WRONG = "That code is not right, or was used already.";

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  forgetSession();
  secondStep.set(null);
  clearNotifications();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a code of the app", () => {
  test("the second step focuses the field, and its ticket is neither in storage nor in the address", async () => {
    await openStep();
    expect(document.activeElement).toBe(field());
    expect([field().autocomplete, field().inputMode]).toEqual(["one-time-code", "numeric"]);
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])).not.toContain(ticket);
    expect(currentSession().isSignedIn).toBe(false);
  });

  test("a complete code with a space is sent without the button, and opens the page that was requested", async () => {
    const sent = await openStep({ [step]: { json: signedIn } }, { from: "/chat?c=42" });
    await type("12345");
    expect(sent()).toEqual([]);
    await type("123 456");
    expect(await shownLocation()).toBe("/chat?c=42");
    expect(sent()).toEqual([["/auth/second-step", { ticket, code: "123 456" }]]);
    expect(currentSession()).toMatchObject({ user: ada, isSignedIn: true });
  });

  test("a wrong code is shown at its field, and the next code is sent by the button only", async () => {
    const sent = await openStep({ [step]: [problem(403, "wrong-code"), { json: signedIn }] });
    await type("111111");
    await waitFor(() => expect(noteOf()?.textContent).toBe(WRONG));
    expect(field().getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field());
    expect([field().selectionStart, field().selectionEnd]).toEqual([0, 6]);
    expect(screen.queryByRole("alert")).toBeNull();
    await type("222222");
    expect(sent()).toHaveLength(1);
    expect(screen.queryByText(WRONG)).toBeNull();
    await press("Sign In");
    expect(await shownLocation()).toBe("/chat");
    expect(sent().at(-1)).toEqual(["/auth/second-step", { ticket, code: "222222" }]);
  });

  test("an empty code is an error at its field, and nothing is sent", async () => {
    const sent = await openStep();
    await press("Sign In");
    expect(noteOf()?.textContent).toBe("Code is required");
    expect(sent()).toEqual([]);
  });

  test("an expired second step returns to the password with the reason", async () => {
    await openStep({ [step]: problem(403, "second-step-expired") });
    await type("123456");
    expect((await screen.findByRole("alert")).textContent).toBe("This sign-in took too long. Please begin again.");
    expect(await title("Salon Chat Login")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Password")));
    expect(currentSession().isSignedIn).toBe(false);
  });

  test("too many codes show the wait, disable the button until it is over, and send nothing meanwhile", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const sent = await openStep({ [step]: [tooOften, { json: signedIn }] });
    await type("111111");
    expect((await screen.findByRole("alert")).textContent).toContain("Please wait 42 seconds.");
    expect(button("Sign In").disabled).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(43_000));
    expect(button("Sign In").disabled).toBe(false);
    expect(sent()).toHaveLength(1);
    await press("Sign In");
    expect(await shownLocation()).toBe("/chat");
  });

  test("the second step can be tried again after a network error", async () => {
    const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));
    await openStep({ [step]: [unreachable, { json: signedIn }] });
    await type("123456");
    expect((await screen.findByRole("alert")).textContent).toContain("Please check your connection");
    expect(field().value).toBe("123456");
    await press("Sign In");
    expect(await shownLocation()).toBe("/chat");
  });

  test("a checked box lets the server remember this browser", async () => {
    const sent = await openStep({ [step]: { json: signedIn } });
    fireEvent.click(screen.getByLabelText("Do not ask in this browser for 30 days"));
    await type("123456");
    expect(await shownLocation()).toBe("/chat");
    expect(sent()).toEqual([["/auth/second-step", { ticket, code: "123456", remember: true }]]);
  });

  test("a cancelled second step shows the password again, and discards the ticket", async () => {
    const sent = await openStep();
    await press("Cancel");
    expect(await title("Salon Chat Login")).toBeTruthy();
    expect([secondStep.get(), sent()]).toEqual([null, []]);
  });

  test("the first sign-in after a restored backup asks for new recovery codes", async () => {
    await openStep({ [step]: { json: { ...signedIn, isRestored: true } } });
    await type("123456");
    expect(await shownLocation()).toBe("/chat");
    expect(currentNotifications().map(({ text }) => text)).toEqual([
      "This server was restored from a backup. Your recovery codes have ended: please make new ones.",
    ]);
  });
});

describe("a passkey", () => {
  const shown = {
    id: "a2V5",
    rawId: "a2V5",
    type: "public-key",
    response: { clientDataJSON: "YQ", authenticatorData: "YQ", signature: "YQ" },
  } as const;
  const answerInBrowser = (get: () => Promise<typeof shown | null>) =>
    vi.spyOn(webauthnModule, "ask").mockImplementation(async () => ({
      ...(await import("../passkeys/webauthn.ts")),
      getPasskey: get,
    }));
  const withPasskeys = { "GET /auth/config": { json: { ...signInConfig, hasPasskeys: true } } };

  test("a passkey completes the step instead of a code, and this browser can be remembered", async () => {
    answerInBrowser(async () => shown);
    const sent = await openStep({ ...withPasskeys, [step]: { json: signedIn } });
    fireEvent.click(screen.getByLabelText("Do not ask in this browser for 30 days"));
    await press("Use a passkey");
    expect(await shownLocation()).toBe("/chat");
    expect(sent().at(-1)).toEqual(["/auth/second-step", { ticket, passkey: shown, remember: true }]);
  });

  test("a refused passkey is shown, and a cancelled request is not an error", async () => {
    answerInBrowser(async () => shown);
    const sent = await openStep({ ...withPasskeys, [step]: problem(403, "bad-passkey") });
    await press("Use a passkey");
    expect((await screen.findByRole("alert")).textContent).toContain("This passkey could not be used.");
    answerInBrowser(async () => null);
    await press("Use a passkey");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(sent().filter(([path]) => path === "/auth/second-step")).toHaveLength(1);
  });

  test("a server without passkeys offers none", async () => {
    await openStep();
    expect(screen.queryByRole("button", { name: "Use a passkey" })).toBeNull();
  });
});

describe("a recovery code", () => {
  test("a recovery code is sent by the button, in a field of its own that takes the focus", async () => {
    const sent = await openStep({ [step]: { json: signedIn } });
    await press("Use a recovery code");
    const recovery = field("Recovery code");
    expect(document.activeElement).toBe(recovery);
    expect([recovery.autocomplete, recovery.inputMode, recovery.value]).toEqual(["off", "", ""]);
    await type("123456", "Recovery code");
    expect(sent()).toEqual([]);
    await type("abcd-efgh-jkmn-pqrs", "Recovery code");
    await press("Sign In");
    expect(await shownLocation()).toBe("/chat");
    expect(sent()).toEqual([["/auth/second-step", { ticket, code: "abcd-efgh-jkmn-pqrs" }]]);
  });

  test("the other kind of code starts without the error of the first", async () => {
    await openStep({ [step]: problem(403, "wrong-code") });
    await type("111111");
    await waitFor(() => expect(noteOf()?.textContent).toBe(WRONG));
    await press("Use a recovery code");
    expect(screen.queryByText(WRONG)).toBeNull();
    await press("Use a code of the app");
    expect(screen.queryByText(WRONG)).toBeNull();
    expect(document.activeElement).toBe(field());
  });

  test("a server that cannot check codes of the app asks for a recovery code, and says why", async () => {
    await openStep({ [step]: problem(409, "codes-unreadable") });
    await type("123456");
    expect((await screen.findByRole("alert")).textContent).toContain("Please use a recovery code.");
    expect(document.activeElement).toBe(field("Recovery code"));
  });
});

describe("a lost second factor", () => {
  const openLoss = async () => {
    await press("Use a recovery code");
    await press("I have lost my app and my codes");
  };

  test("a link is mailed only after the wait is explained and the button is pressed", async () => {
    const sent = await openStep({ [loss]: { json: { message: "A mail with a link is on its way." } } });
    expect(screen.queryByRole("button", { name: "I have lost my app and my codes" })).toBeNull();
    await openLoss();
    expect(screen.getByText(/It ends the second factor 72 hours later, unless you stop that\./)).toBeTruthy();
    expect(sent()).toEqual([]);
    await press("Mail me the link");
    expect(await screen.findByText("A mail with a link is on its way to the address of your account.")).toBeTruthy();
    expect(sent()).toEqual([["/auth/second-step/loss", { ticket }]]);
    expect(currentSession().isSignedIn).toBe(false);
  });

  test("a mail that cannot be requested shows the reason, and can be requested again", async () => {
    const sent = await openStep({ [loss]: [() => Promise.reject(new TypeError("Failed to fetch")), { json: {} }] });
    await openLoss();
    await press("Mail me the link");
    expect((await screen.findByRole("alert")).textContent).toContain("Please check your connection");
    await press("Mail me the link");
    expect(await screen.findByText(/^A mail with a link is on its way/)).toBeTruthy();
    expect(sent()).toHaveLength(2);
  });

  test("too many requested mails show the wait, in which nothing is sent", async () => {
    const sent = await openStep({ [loss]: tooOften });
    await openLoss();
    await press("Mail me the link");
    expect((await screen.findByRole("alert")).textContent).toContain("Please wait 42 seconds.");
    expect(button("Mail me the link").getAttribute("aria-disabled")).toBe("true");
    await press("Mail me the link");
    expect(sent()).toHaveLength(1);
  });

  test("a mail that is requested after the sign-in has expired shows that it must begin again", async () => {
    await openStep({ [loss]: problem(403, "second-step-expired") });
    await openLoss();
    await press("Mail me the link");
    expect((await screen.findByRole("alert")).textContent).toBe("This sign-in took too long. Please begin again.");
    await press("Cancel");
    expect(await title("Salon Chat Login")).toBeTruthy();
  });
});
