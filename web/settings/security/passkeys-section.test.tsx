import { act, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Passkey } from "#contract/accounts/passkeys.ts";
import { webauthnModule } from "../../accounts/passkeys/lazy-webauthn.ts";
import { PasskeyError } from "../../accounts/passkeys/webauthn.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import {
  details,
  done,
  eachTestAlone,
  field,
  noteOf,
  openSettings,
  press,
  type,
} from "../../testing/open-settings.tsx";

eachTestAlone();

const phone: Passkey = { id: "cGhvbmU", name: "Phone", createdAt: Date.UTC(2026, 0, 2), lastUsedAt: null };
const list = (...passkeys: Passkey[]) => ({ json: { passkeys } });
const creation = {
  challenge: "Y2g",
  rp: { id: "localhost", name: "Salon" },
  user: { id: "dQ", name: "ada", displayName: "ada" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  timeout: 1000,
  attestation: "none",
  excludeCredentials: [],
  authenticatorSelection: { residentKey: "required", userVerification: "required" },
};
const made = {
  id: "a2V5",
  rawId: "a2V5",
  type: "public-key",
  response: { clientDataJSON: "YQ", attestationObject: "Yg" },
} as const;

const section = () => within(screen.getByRole("region", { name: "Passkeys" }));
const rows = () =>
  section()
    .queryAllByRole("button", { name: /^Rename / })
    .map((button) => button.getAttribute("aria-label"));

/** Replaces the browser's part. */
function answerInBrowser(create: () => Promise<typeof made | null>): void {
  vi.spyOn(webauthnModule, "ask").mockImplementation(async () => ({
    ...(await import("../../accounts/passkeys/webauthn.ts")),
    hasPasskeySupport: () => true,
    createPasskey: create,
  }));
}

test("an account without passkeys sees that there are none, and can add one", async () => {
  answerInBrowser(async () => made);
  const changes = await openSettings("security", {
    "POST /auth/passkeys/creation": { json: creation },
    "POST /auth/passkeys": { json: { ...phone, id: made.id, name: "Chrome, Linux" } },
    "GET /auth/passkeys": [list(), list({ ...phone, id: made.id, name: "Chrome, Linux" })],
  });
  expect(await screen.findByText("No passkeys yet.")).toBeTruthy();
  await press("Add a passkey");
  expect(await section().findByText("The passkey was added.")).toBeTruthy();
  expect(rows()).toEqual(["Rename “Chrome, Linux”"]);
  expect(changes()).toEqual([
    ["POST /auth/passkeys/creation", {}],
    ["POST /auth/passkeys", { passkey: made }],
  ]);
});

test("a person who cancels in the browser sees no error, and nothing is sent", async () => {
  answerInBrowser(async () => null);
  const changes = await openSettings("security", { "POST /auth/passkeys/creation": { json: creation } });
  await press("Add a passkey");
  expect(section().queryByRole("alert")).toBeNull();
  expect(changes()).toEqual([["POST /auth/passkeys/creation", {}]]);
});

test.each([
  ["InvalidStateError", "This device has a passkey of your account already."],
  ["SecurityError", "Your browser could not make a passkey. Please try again, or use another browser."],
])("a browser that fails by %s has its reason in words", async (name, text) => {
  answerInBrowser(() => Promise.reject(new PasskeyError(Object.assign(new Error("No."), { name }))));
  await openSettings("security", { "POST /auth/passkeys/creation": { json: creation } });
  await press("Add a passkey");
  expect(await section().findByText(text)).toBeTruthy();
});

test("a passkey is renamed, and a failure keeps what was typed", async () => {
  const changes = await openSettings("security", {
    "GET /auth/passkeys": list(phone),
    "PATCH /auth/passkeys/cGhvbmU": [problem(404, "not-found"), done],
  });
  await press("Rename “Phone”");
  type("Name", "My phone");
  await press("Save");
  expect(await section().findByRole("alert")).toBeTruthy();
  expect(field("Name").value).toBe("My phone");
  await press("Save");
  expect(await section().findByText("The passkey was renamed.")).toBeTruthy();
  expect(rows()).toEqual(["Rename “My phone”"]);
  expect(changes().at(-1)).toEqual(["PATCH /auth/passkeys/cGhvbmU", { name: "My phone" }]);
});

test("a passkey is removed after a question, and the sessions are read again", async () => {
  const changes = await openSettings("security", {
    "GET /auth/passkeys": [list(phone), list()],
    "DELETE /auth/passkeys/cGhvbmU": done,
  });
  await press("Remove");
  expect(changes()).toEqual([]);
  const dialog = await screen.findByRole("alertdialog", { name: "Remove “Phone”?" });
  await act(async () => within(dialog).getByRole("button", { name: "Remove" }).click());
  expect(await section().findByText("The passkey was removed.")).toBeTruthy();
  expect(rows()).toEqual([]);
  expect(changes()).toEqual([["DELETE /auth/passkeys/cGhvbmU", undefined]]);
});

test("a passkey of another host and one from a restored backup are marked", async () => {
  await openSettings("security", {
    "GET /auth/passkeys": list({ ...phone, otherHost: "old.example.org" }, { ...phone, id: "eA", isRestored: true }),
  });
  expect(section().getByText("Made for old.example.org: it does not work at this address.")).toBeTruthy();
  expect(section().getByText("Back from a restored backup, and not used since.")).toBeTruthy();
});

test.each([
  ["address", "Passkeys need a domain, and this server is reached by an IP address."],
  ["unencrypted", "Passkeys need an encrypted address (https)."],
])("a server whose address allows no passkeys says why: %s", async (unavailable, text) => {
  await openSettings("security", { "GET /auth/passkeys": { json: { passkeys: [], unavailable } } });
  expect(section().getByText(text)).toBeTruthy();
  expect(section().queryByRole("button", { name: "Add a passkey" })).toBeNull();
});

test("an account with a second factor adds a passkey by a code, and a refused code is shown at its field", async () => {
  answerInBrowser(async () => made);
  const secondFactor = { createdAt: 1, lastUsedAt: 1, recoveryCodesLeft: 9, rememberedBrowsers: 0, endsAt: null };
  const changes = await openSettings("security", {
    "GET /auth/account": { json: { ...details, secondFactor } },
    "POST /auth/passkeys/creation": [problem(403, "wrong-code"), { json: creation }],
    "POST /auth/passkeys": { json: { ...phone, id: made.id } },
    "GET /auth/passkeys": [list(), list({ ...phone, id: made.id })],
  });
  await press("Add a passkey");
  expect(document.activeElement).toBe(field("Code"));
  type("Code", "111111");
  await press("Add a passkey");
  await vi.waitFor(() => expect(noteOf("Code")).toBe("That code is not right, or was used already."));
  type("Code", "222222");
  await press("Add a passkey");
  expect(await section().findByText("The passkey was added.")).toBeTruthy();
  expect(changes().map(([, body]) => body)).toEqual([{ code: "111111" }, { code: "222222" }, { passkey: made }]);
});
