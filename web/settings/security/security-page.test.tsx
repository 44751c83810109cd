import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "#contract/limits.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import {
  details,
  done,
  eachTestAlone,
  field,
  here,
  noteOf,
  openSettings,
  press,
  there,
  type,
} from "../../testing/open-settings.tsx";

eachTestAlone();

describe("the password", () => {
  const fill = (current: string, next: string, repeated = next) => {
    type("Current password", current);
    type("New password", next);
    type("Repeat the new password", repeated);
  };

  test("the password is changed with the current one as the proof, which is asked for only once", async () => {
    const sent = await openSettings("security", {
      "POST /auth/proof": { json: { provedUntil: 5 } },
      "POST /auth/password": done,
    });
    await press("Change password");
    expect(field("Current password").autocomplete).toBe("current-password");
    expect(field("New password").autocomplete).toBe("new-password");
    fill("old password", "a new password");
    await press("Change password");
    expect(await screen.findByText("Your password was changed. Your other sessions were signed out.")).toBeTruthy();
    expect(sent()).toEqual([
      ["POST /auth/proof", { password: "old password" }],
      ["POST /auth/password", { currentPassword: "old password", password: "a new password" }],
    ]);
    expect(document.activeElement?.textContent).toBe("Change password");
  });

  test("the remaining sessions are shown after a change of the password", async () => {
    await openSettings("security", {
      "GET /auth/sessions": [{ json: [here, there] }, { json: [here] }],
      "POST /auth/proof": { json: { provedUntil: 5 } },
      "POST /auth/password": done,
    });
    expect(screen.getByText("Safari on iOS")).toBeTruthy();
    await press("Change password");
    fill("old password", "a new password");
    await press("Change password");
    await waitFor(() => expect(screen.queryByText("Safari on iOS")).toBeNull());
  });

  test("a wrong password and a wrong repetition are shown as errors at their fields", async () => {
    const sent = await openSettings("security", { "POST /auth/proof": problem(403, "wrong-password") });
    await press("Change password");
    fill("old password", "a new password", "another one");
    await press("Change password");
    expect(noteOf("Repeat the new password")).toBe("Passwords do not match");
    expect(sent()).toEqual([]);
    fill("old password", "a new password");
    await press("Change password");
    await waitFor(() => expect(noteOf("Current password")).toBe("That is not your password."));
    expect(field("New password").value).toBe("a new password");
  });

  test("a new password that is too short and a wrong current one move the focus to their fields", async () => {
    const sent = await openSettings("security", { "POST /auth/proof": problem(403, "wrong-password") });
    await press("Change password");
    fill("old password", "short");
    await press("Change password");
    expect(noteOf("New password")).toBe("New password must be at least 8 characters");
    expect(document.activeElement).toBe(field("New password"));
    expect(sent()).toEqual([]);
    fill("old password", "a new password");
    await press("Change password");
    await waitFor(() => expect(document.activeElement).toBe(field("Current password")));
    await press("Cancel");
    expect(screen.queryByLabelText("New password")).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Change password"));
  });

  test("each way to sign in is shown with its last use and the cost of its loss", async () => {
    const hoursAgo = (hours: number) => Date.now() - hours * 60 * 60 * 1000;
    const secondFactor = {
      createdAt: 1,
      lastUsedAt: hoursAgo(2),
      recoveryCodesLeft: 9,
      rememberedBrowsers: 0,
      endsAt: null,
    };
    const lastSignIns = { password: hoursAgo(3), recoveryCode: hoursAgo(5) };
    await openSettings("security", {
      "GET /auth/account": { json: { ...details, hasGoogle: true, secondFactor, lastSignIns } },
    });
    const { textContent } = await screen.findByRole("region", { name: "Ways to sign in" });
    for (const line of [
      "PasswordLast sign-in this way: 3 hours ago. If you forget it, a mail to your address lets you set a new one.",
      "GoogleNo sign-in this way is recorded. If you lose that account, your password still signs you in.",
      "Authenticator appLast sign-in with it: 2 hours ago. If you lose your phone, a recovery code signs you in.",
      "Recovery codesLast one used: 5 hours ago. If you lose them, make new ones while you have your phone.",
    ]) {
      expect(textContent).toContain(line);
    }
  });

  test("a first password can be set, and then Google can be disconnected", async () => {
    const sent = await openSettings("security", {
      "GET /auth/account": [
        { json: { ...details, hasPassword: false, hasGoogle: true } },
        { json: { ...details, hasGoogle: true } },
        { json: details },
      ],
      "POST /auth/password": done,
      "DELETE /auth/google/connection": done,
    });
    const disconnect = await screen.findByRole<HTMLButtonElement>("button", { name: "Disconnect" });
    expect(disconnect.disabled).toBe(true);
    expect(screen.getByText("Set a password first: otherwise you could not sign in any more.")).toBeTruthy();
    await press("Set a password");
    type("New password", "a new password");
    type("Repeat the new password", "a new password");
    await press("Set a password");
    expect(await screen.findByText("Your password is set. Your other sessions were signed out.")).toBeTruthy();
    await press("Disconnect");
    // Without Google sign-in on the server there is nothing left to connect.
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Google" })).toBeNull());
    expect(sent()).toEqual([
      ["POST /auth/password", { password: "a new password" }],
      ["DELETE /auth/google/connection", undefined],
    ]);
  });
});

describe("sessions", () => {
  test("sessions are listed with their known details, and the current one is marked", async () => {
    const now = Date.now();
    const seen = { ...there, createdAt: now - 3 * DAY, lastSeenAt: now - 2 * HOUR };
    await openSettings("security", {
      "GET /auth/sessions": { json: [here, seen, { ...seen, id: "x", browser: "", system: "" }] },
    });
    const lines = screen.getAllByRole("listitem").filter((line) => line.textContent?.includes("Signed in"));
    expect(lines.map((line) => line.querySelector("p")?.textContent)).toEqual([
      "Chrome on LinuxThis session",
      "Safari on iOS",
      "Unknown device",
    ]);
    expect(lines[0]?.textContent).toContain("Active now · 203.0.113.9");
    expect(lines[1]?.textContent).toContain("Last seen 2 hours ago · 203.0.113.9Signed in 3 days ago with Google");
    expect(lines[1]?.querySelector("time")?.dataset.tooltip).toMatch(/\d{4}.*\d\d? ?[AP]M$/);
    expect(screen.queryAllByRole("button", { name: /^Sign out Chrome/ })).toHaveLength(0);
  });

  test("sessions are signed out one by one; the list is reloaded and its heading takes the focus", async () => {
    const sent = await openSettings("security", {
      "GET /auth/sessions": [{ json: [here, there] }, { json: [here] }],
      "DELETE /auth/sessions/there": done,
    });
    await press("Sign out Safari on iOS, 203.0.113.9");
    expect(await screen.findByText("Safari on iOS was signed out.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Sign out/ })).toBeNull();
    expect(document.activeElement?.textContent).toBe("Sessions");
    expect(sent()).toEqual([["DELETE /auth/sessions/there", undefined]]);
  });

  test("sessions that have already ended count as signed out", async () => {
    await openSettings("security", {
      "GET /auth/sessions": [{ json: [here, there] }, { json: [here] }],
      "DELETE /auth/sessions/there": problem(404, "not-found"),
    });
    await press("Sign out Safari on iOS, 203.0.113.9");
    expect(await screen.findByText("Safari on iOS was signed out.")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("sessions are ended one at a time, the next without waiting for the reload", async () => {
    const third = { ...there, id: "third", browser: "Firefox", system: "Windows" };
    const ending = Promise.withResolvers<Response>();
    const sent = await openSettings("security", {
      "GET /auth/sessions": [{ json: [here, there, third] }, () => new Promise<Response>(() => {})],
      "DELETE /auth/sessions/there": () => ending.promise,
      "DELETE /auth/sessions/third": done,
    });
    const others = screen.getByRole("button", { name: "Sign out all others" });
    expect(others.getAttribute("aria-disabled")).toBeNull();
    await press("Sign out Safari on iOS, 203.0.113.9");
    const next = screen.getByRole("button", { name: "Sign out Firefox on Windows, 203.0.113.9" });
    expect([others, next].map((button) => button.getAttribute("aria-disabled"))).toEqual(["true", "true"]);
    await press("Sign out all others");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    await act(async () => ending.resolve(new Response(null, { status: 204 })));
    expect(await screen.findByText("Safari on iOS was signed out.")).toBeTruthy();
    await press("Sign out Firefox on Windows, 203.0.113.9");
    expect(await screen.findByText("Firefox on Windows was signed out.")).toBeTruthy();
    expect(sent().map(([call]) => call)).toEqual(["DELETE /auth/sessions/there", "DELETE /auth/sessions/third"]);
  });

  test("all other sessions are ended after a confirmation, and the account details are reloaded", async () => {
    const pending = { ...details, pendingEmail: "new@example.com" };
    let reads = 0;
    const sent = await openSettings("security", {
      "GET /auth/account": () => Response.json(reads++ === 0 ? pending : details),
      "GET /auth/sessions": [{ json: [here, there] }, { json: [here] }],
      "DELETE /auth/sessions": done,
    });
    await press("Sign out all others");
    await screen.findByRole("alertdialog", { name: "Sign out all other sessions?" });
    expect(sent()).toEqual([]);
    await act(async () =>
      fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Sign out all others" })),
    );
    expect(await screen.findByText("All other sessions were signed out.")).toBeTruthy();
    expect(sent()).toEqual([["DELETE /auth/sessions", undefined]]);
    expect(reads).toBe(2);
  });

  test("the list of sessions shows that it is loading until it is read", async () => {
    const answer = Promise.withResolvers<Response>();
    await openSettings("security", { "GET /auth/sessions": () => answer.promise });
    expect(screen.getByText("Loading…")).toBeTruthy();
    await act(async () => answer.resolve(Response.json([here])));
    expect(await screen.findByText("Chrome on Linux")).toBeTruthy();
    expect(screen.queryByText("Loading…")).toBeNull();
  });

  test("a failed read of the sessions can be retried", async () => {
    await openSettings("security", { "GET /auth/sessions": [{ status: 500, text: "" }, { json: [here] }] });
    expect((await screen.findByRole("alert")).textContent).toContain("This could not be loaded.");
    await press("Try again");
    expect(await screen.findByText("Chrome on Linux")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
