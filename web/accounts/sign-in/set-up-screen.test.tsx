import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ada, type FakeAnswer, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { takeFirstStep, ticket } from "../../testing/first-step.tsx";
import { currentSession, forgetSession } from "../session/session.ts";
import { secondStep } from "./second-step.ts";

const begin = "POST /auth/second-step/enrolment";
const complete = "POST /auth/second-step/set-up";
const enrolment = { secret: "ABCDEFGH", uri: "otpauth://totp/Salon:ada?secret=ABCDEFGH", enrolment: "e1" };
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `code-${index}`);
const signedIn = { access_token: tokenFor("1"), user: ada, emailVerified: true, recoveryCodes };

/** Types the password of an account that lacks a required factor. Returns the live list of later requests with a body. */
const openSetUp = (answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}) =>
  takeFirstStep({
    demand: "second-factor-missing",
    answers,
    state: { from: "/chat?c=42" },
    title: "Set Up a Second Factor",
  });

const title = (name: string) => screen.findByRole("heading", { level: 1, name });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const press = (name: string) => act(async () => fireEvent.click(button(name)));
const code = () => screen.findByLabelText<HTMLInputElement>("Code of the app");
const sendCode = async (value: string) => {
  fireEvent.input(await code(), { target: { value } });
  await press("Switch on");
};

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  forgetSession();
  secondStep.set(null);
  vi.unstubAllGlobals();
});

test("a required factor is set up at the sign-in: QR code, code, recovery codes, then the page that was requested", async () => {
  const sent = await openSetUp({
    [begin]: { json: enrolment },
    [complete]: [problem(403, "wrong-code"), { json: signedIn }],
  });
  expect(sent()).toEqual([]);
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])).not.toContain(ticket);
  await press("Set Up");
  expect(await screen.findByRole("img", { name: "QR code for the authenticator app" })).toBeTruthy();
  expect(document.activeElement).toBe(await code());
  await sendCode("111111");
  const field = await code();
  const note = () => document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
  await waitFor(() => expect(note()).toBe("That code is not right, or was used already."));
  expect(currentSession().isSignedIn).toBe(false);
  await sendCode("222222");
  expect(await screen.findByRole("heading", { name: "Your recovery codes" })).toBe(document.activeElement);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(recoveryCodes);
  expect(button("Done").disabled).toBe(true);
  fireEvent.click(screen.getByLabelText("I have saved these codes"));
  await press("Done");
  expect((await screen.findByTestId("location")).textContent).toBe("/chat?c=42");
  expect(currentSession()).toMatchObject({ user: ada, isSignedIn: true });
  expect(localStorage.getItem("access_token")).not.toContain("code-0");
  expect(sent()).toEqual([
    ["/auth/second-step/enrolment", { ticket }],
    ["/auth/second-step/set-up", { ticket, enrolment: "e1", code: "111111" }],
    ["/auth/second-step/set-up", { ticket, enrolment: "e1", code: "222222" }],
  ]);
});

test("a set-up whose ticket has expired returns to the password with the reason", async () => {
  await openSetUp({ [begin]: { json: enrolment }, [complete]: problem(403, "second-step-expired") });
  await press("Set Up");
  await sendCode("111111");
  expect((await screen.findByRole("alert")).textContent).toBe("This sign-in took too long. Please begin again.");
  expect(await title("Salon Chat Login")).toBeTruthy();
  expect(currentSession().isSignedIn).toBe(false);
});

test("a set-up whose ticket has expired before the QR code returns to the password too", async () => {
  await openSetUp({ [begin]: problem(403, "second-step-expired") });
  await press("Set Up");
  expect((await screen.findByRole("alert")).textContent).toBe("This sign-in took too long. Please begin again.");
});

test("an expired QR code is replaced with the same ticket", async () => {
  const sent = await openSetUp({
    [begin]: [{ json: enrolment }, { json: { ...enrolment, secret: "QRSTUVWX", enrolment: "e2" } }],
    [complete]: [problem(400, "enrolment-expired"), { json: signedIn }],
  });
  await press("Set Up");
  await sendCode("111111");
  await screen.findByRole("alert");
  await press("New QR code");
  await waitFor(() => expect(screen.getByRole("group", { name: "Key" }).textContent).toBe("QRST UVWX"));
  await sendCode("222222");
  await screen.findByRole("heading", { name: "Your recovery codes" });
  expect(sent().at(-1)).toEqual(["/auth/second-step/set-up", { ticket, enrolment: "e2", code: "222222" }]);
});

test("a cancelled set-up shows the password again, and an error of the server can be tried again", async () => {
  const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));
  await openSetUp({ [begin]: [unreachable, problem(503, "unavailable"), { json: enrolment }] });
  await press("Set Up");
  expect((await screen.findByRole("alert")).textContent).toMatch(/This did not work.*check your connection/);
  await press("Set Up");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("not available right now"));
  await press("Set Up");
  await code();
  await press("Cancel");
  expect(await title("Salon Chat Login")).toBeTruthy();
  expect(secondStep.get()).toBeNull();
});
