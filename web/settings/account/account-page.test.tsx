import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { currentSession } from "../../accounts/session/session.ts";
import { ada, problem } from "../../testing/fakes/fake-api.ts";
import {
  config,
  details,
  done,
  eachTestAlone,
  field,
  goTo,
  noteOf,
  openSettings,
  press,
  type,
} from "../../testing/open-settings.tsx";
import { currentNotifications } from "../../ui/notifications/notify.ts";

eachTestAlone();

const proofNeeded = problem(403, "proof-needed");

describe("the profile", () => {
  test("saved names are confirmed, and shown wherever the person is named", async () => {
    const user = { ...ada, firstname: "Augusta" };
    const sent = await openSettings("account", { "PATCH /auth/me": { json: user } });
    type("First name", "Augusta");
    await press("Save name");
    expect(await screen.findByText("Your name is saved.")).toBeTruthy();
    expect(sent()).toEqual([["PATCH /auth/me", { firstname: "Augusta" }]]);
    expect(currentSession().user).toEqual(user);
    expect(screen.getByText("Augusta Byron")).toBeTruthy();
  });

  test("the profile names each connection that receives the address or the name of the person", async () => {
    const group = (label: string, receives?: string[]) => ({ label, models: [], ...(receives && { receives }) });
    await openSettings("account", {
      "GET /models": { json: [group("OpenAI"), group("Home", ["email", "name"]), group("Lab", ["name", "age"])] },
    });
    const sentences = screen.getAllByText(/^(OpenAI|Home|Lab) receives/).map(({ textContent }) => textContent);
    expect(sentences).toEqual([
      expect.stringMatching(/^Home receives your email address and your name with each question to its models\./),
      expect.stringMatching(/^Lab receives your name with each question/),
    ]);
  });

  test("an unchanged profile sends nothing", async () => {
    const sent = await openSettings("account");
    const save = screen.getByRole("button", { name: "Save name" });
    expect([save.getAttribute("aria-disabled"), save.getAttribute("aria-description")]).toEqual([
      "true",
      "Nothing has changed.",
    ]);
    await press("Save name");
    expect(await screen.findByText("Nothing has changed.")).toBeTruthy();
    expect(sent()).toEqual([]);
    type("First name", "Augusta");
    expect([save.getAttribute("aria-disabled"), save.getAttribute("aria-description")]).toEqual([null, null]);
  });

  test("an error of the profile is shown at its field, which takes the focus; typing clears the error", async () => {
    const sent = await openSettings("account");
    type("Last name", "Byron2");
    await press("Save name");
    const sentence = "Last name must contain only letters (no numbers or special characters)";
    expect(noteOf("Last name")).toBe(sentence);
    expect(document.activeElement).toBe(field("Last name"));
    type("Last name", "Byron");
    expect(screen.queryByText(sentence)).toBeNull();
    expect(sent()).toEqual([]);
  });

  test("typing into one of two fields with errors does not move the focus to the other", async () => {
    await openSettings("account");
    type("First name", "Ada1");
    type("Last name", "Byron2");
    await press("Save name");
    expect(document.activeElement).toBe(field("First name"));
    field("Last name").focus();
    type("Last name", "Byron");
    expect(document.activeElement).toBe(field("Last name"));
    expect(noteOf("First name")).toContain("must contain only letters");
  });

  test("the error of a taken username is shown at its field", async () => {
    await openSettings("account", { "POST /auth/username": problem(409, "username-taken") });
    type("Username", "grace");
    await press("Save username");
    await waitFor(() => expect(noteOf("Username")).toBe("This username is already taken."));
    expect(field("Username").value).toBe("grace");
    expect(document.activeElement).toBe(field("Username"));
  });
});

describe("an unreachable server", () => {
  const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));

  test("a change of the name can be saved again after a network error", async () => {
    const sent = await openSettings("account", {
      "PATCH /auth/me": [unreachable, { json: { ...ada, firstname: "Augusta" } }],
    });
    type("First name", "Augusta");
    await press("Save name");
    const section = screen.getByRole("region", { name: "Profile" });
    expect((await within(section).findByRole("alert")).textContent).toContain("The server could not be reached.");
    expect([field("First name").value, field("Last name").value]).toEqual(["Augusta", "Byron"]);
    await press("Save name");
    expect(await screen.findByText("Your name is saved.")).toBeTruthy();
    expect(sent()).toHaveLength(2);
  });

  test("the address of the account can be loaded again after an error", async () => {
    const account = [{ status: 500, text: "" }, { json: { ...details, pendingEmail: "new@example.com" } }];
    await openSettings("account", { "GET /auth/account": account });
    const section = within(screen.getByRole("region", { name: "Email" }));
    expect((await section.findByRole("alert")).textContent).toContain("This could not be loaded.");
    await press("Try again");
    expect(await section.findByText("Waiting for you to confirm new@example.com")).toBeTruthy();
    expect(section.queryByRole("alert")).toBeNull();
  });
});

describe("the proof", () => {
  test("a proof is required once, and the request is made after it", async () => {
    const renamed = { ...ada, username: "countess" };
    const sent = await openSettings("account", {
      "POST /auth/username": [proofNeeded, { json: renamed }],
      "POST /auth/proof": [problem(403, "wrong-password"), { json: { provedUntil: 5 } }],
    });
    type("Username", "countess");
    await press("Save username");
    const dialog = await screen.findByRole("dialog", { name: "Confirm that it is you" });
    const password = within(dialog).getByLabelText<HTMLInputElement>("Password");
    await waitFor(() => expect(document.activeElement).toBe(password));
    fireEvent.input(password, { target: { value: "wrong" } });
    await press("Confirm");
    expect(await within(dialog).findAllByText("That is not your password.")).not.toHaveLength(0);
    fireEvent.input(password, { target: { value: "right" } });
    await press("Confirm");
    expect(await screen.findByText("Your username is saved.")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(sent().map(([call]) => call)).toEqual([
      "POST /auth/username",
      "POST /auth/proof",
      "POST /auth/proof",
      "POST /auth/username",
    ]);
    expect(currentSession().user).toEqual(renamed);
  });

  test("Escape in the dialog for a proof returns the focus to the button, with the typed value", async () => {
    await openSettings("account", { "POST /auth/username": proofNeeded });
    type("Username", "countess");
    const save = screen.getByRole("button", { name: "Save username" });
    save.focus();
    await press("Save username");
    const dialog = await screen.findByRole("dialog", { name: "Confirm that it is you" });
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText("Password")));
    await act(async () => void fireEvent.keyDown(dialog, { key: "Escape" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(save));
    expect(field("Username").value).toBe("countess");
  });

  test("a declined proof leaves the typed values and shows no error", async () => {
    await openSettings("account", { "POST /auth/username": proofNeeded });
    type("Username", "countess");
    await press("Save username");
    await screen.findByRole("dialog", { name: "Confirm that it is you" });
    await press("Cancel");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(field("Username").value).toBe("countess");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("proofs of a page that was left", () => {
  const question = () => screen.queryByRole("dialog", { name: "Confirm that it is you" });

  test("the dialog for a proof closes with the page that requested it", async () => {
    const sent = await openSettings("account", { "POST /auth/username": proofNeeded });
    type("Username", "countess");
    await press("Save username");
    expect(question()).toBeTruthy();
    await goTo("security");
    expect(question()).toBeNull();
    await goTo("account");
    expect(question()).toBeNull();
    expect(sent()).toHaveLength(1);
  });

  test("no proof is requested on another page if the response arrives late", async () => {
    const answer = Promise.withResolvers<Response>();
    await openSettings("account", { "POST /auth/username": () => answer.promise });
    type("Username", "countess");
    await press("Save username");
    await goTo("security");
    await act(async () => answer.resolve(Response.json({ detail: "x", code: "proof-needed" }, { status: 403 })));
    expect(question()).toBeNull();
  });
});

describe("changes of the address", () => {
  test("the address is changed by a link mailed to the new one, which is shown as pending and can be cancelled", async () => {
    const sent = await openSettings("account", {
      "POST /auth/email": { json: { message: "sent" } },
      "DELETE /auth/email": done,
    });
    await press("Change address");
    expect(noteOf("New email address")).toContain("opened elsewhere, it signs all your devices out");
    type("New email address", "new@example.com");
    await press("Send link");
    expect(await screen.findByText("A mail with a link is on its way to new@example.com.")).toBeTruthy();
    expect(screen.getByText("Waiting for you to confirm new@example.com")).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Change address");
    await press("Send again");
    await press("Cancel the change");
    expect(await screen.findByText("The change was cancelled. Its link no longer works.")).toBeTruthy();
    expect(screen.queryByText(/^Waiting for you/)).toBeNull();
    expect(sent().map(([call]) => call)).toEqual(["POST /auth/email", "POST /auth/email", "DELETE /auth/email"]);
  });

  test("a pending address is shown on load, and a failure shows how long to wait", async () => {
    const tooOften = () =>
      Response.json(
        { detail: "x", error: "x", code: "too-many-requests" },
        { status: 429, headers: { "retry-after": "40" } },
      );
    await openSettings("account", {
      "GET /auth/account": { json: { ...details, pendingEmail: "new@example.com" } },
      "POST /auth/email": tooOften,
    });
    expect(await screen.findByText("Waiting for you to confirm new@example.com")).toBeTruthy();
    expect(screen.queryByText(/no mail server/)).toBeNull();
    await press("Send again");
    expect((await screen.findByRole("alert")).textContent).toContain("Please wait 40 seconds.");
  });
});

test("a pending address shows where its link is if there is no mail server", async () => {
  await openSettings("account", {
    "GET /auth/config": { json: { ...config.json, isMailOnConsole: true } },
    "GET /auth/account": { json: { ...details, pendingEmail: "new@example.com" } },
  });
  expect(await screen.findByText(/^This server has no mail server/)).toBeTruthy();
});

describe("the deletion of the account", () => {
  const confirmed = async () => {
    await press("Delete account…");
    type("Type ada to continue", "ada");
  };

  test("a deletion requires the typed username; then clears this browser's data and shows its date", async () => {
    const keys = ["draft:1:new", "sending:1:new", "model:1", "open-folders:1", "events:1"];
    for (const key of keys) localStorage.setItem(key, "something");
    const deleteDatabase = vi.fn();
    vi.stubGlobal("indexedDB", { deleteDatabase });
    const deleteAt = new Date(2026, 11, 5).getTime();
    const sent = await openSettings("account", { "POST /auth/account/deletion": { json: { deleteAt } } });
    await press("Delete account…");
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Delete in 14 days" });
    expect(button.disabled).toBe(true);
    fireEvent.change(field("Type ada to continue"), { target: { value: "ada" } });
    expect(button.disabled).toBe(false);
    await press("Delete in 14 days");
    await waitFor(() => expect(currentSession().token).toBeNull());
    expect(sent()).toEqual([["POST /auth/account/deletion", { isImmediate: false }]]);
    expect(localStorage).toHaveLength(0);
    expect(deleteDatabase.mock.calls).toEqual([[`parley-files:${ada.id}`]]);
    expect(currentNotifications().map(({ text }) => text)).toEqual([
      "You are signed out. Your account will be deleted on December 5, 2026. To keep it, sign in before then.",
    ]);
  });

  test("a deletion cannot be cancelled while it is running", async () => {
    const deletion = Promise.withResolvers<Response>();
    await openSettings("account", { "POST /auth/account/deletion": () => deletion.promise });
    await confirmed();
    await press("Delete in 14 days");
    const ways = ["Cancel", "Close"].map((name) => screen.getByRole("button", { name }));
    expect(ways.map((button) => button.getAttribute("aria-disabled"))).toEqual(["true", "true"]);
    for (const button of ways) await act(async () => fireEvent.click(button));
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
    expect(screen.getByRole("dialog", { name: "Delete your account" })).toBeTruthy();
    await act(async () => deletion.resolve(Response.json({ detail: "x", code: "unavailable" }, { status: 503 })));
    expect(await screen.findByRole("alert")).toBeTruthy();
    await press("Cancel");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("the proof of a deletion is a step of its dialog; Cancel and Escape lead back with the typed text", async () => {
    const proof = () => screen.getByRole("dialog", { name: "Confirm that it is you" });
    const sent = await openSettings("account", {
      "POST /auth/account/deletion": [proofNeeded, proofNeeded, proofNeeded, { json: { deleteAt: null } }],
      "POST /auth/proof": { json: { provedUntil: 5 } },
    });
    await confirmed();
    fireEvent.click(screen.getByLabelText(/^Now, for good/));
    const button = screen.getByRole("button", { name: "Delete now" });
    for (const leave of [
      () => press("Cancel"),
      () => act(async () => void fireEvent.keyDown(proof(), { key: "Escape" })),
    ]) {
      button.focus();
      await press("Delete now");
      expect(screen.getAllByRole("dialog", { hidden: true })).toEqual([proof()]);
      await waitFor(() => expect(document.activeElement).toBe(within(proof()).getByLabelText("Password")));
      await leave();
      expect(screen.getByRole("dialog", { name: "Delete your account" })).toBeTruthy();
      expect(field("Type ada to continue").value).toBe("ada");
      expect(field(/^Now, for good/).checked).toBe(true);
      expect(document.activeElement).toBe(button);
      expect(screen.queryByRole("alert")).toBeNull();
    }
    await press("Delete now");
    type("Password", "right");
    await press("Confirm");
    await waitFor(() => expect(currentSession().token).toBeNull());
    expect(sent().at(-1)).toEqual(["POST /auth/account/deletion", { isImmediate: true }]);
  });

  test("a deletion can be immediate, and changes nothing on failure", async () => {
    const sent = await openSettings("account", {
      "POST /auth/account/deletion": [problem(503, "unavailable"), { json: { deleteAt: null } }],
    });
    await confirmed();
    fireEvent.click(screen.getByLabelText(/^Now, for good/));
    await press("Delete now");
    expect((await screen.findByRole("alert")).textContent).toContain("The service is not available right now.");
    expect(currentSession().token).not.toBeNull();
    await press("Delete now");
    await waitFor(() => expect(currentSession().token).toBeNull());
    expect(sent().map(([, body]) => body)).toEqual([{ isImmediate: true }, { isImmediate: true }]);
    expect(currentNotifications()[0]?.text).toBe("Your account and everything in it have been deleted.");
  });
});
