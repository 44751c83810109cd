import { act, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { ConnectedIdentity } from "#contract/accounts/single-sign-on.ts";
import { pendingConnection } from "../../accounts/sso/pending-connection.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { catchLeaving } from "../../testing/leaving.ts";
import { config, details, done, eachTestAlone, openSettings, press } from "../../testing/open-settings.tsx";

eachTestAlone();
beforeEach(() => {
  sessionStorage.clear();
  vi.restoreAllMocks();
});

const works = { slug: "works", name: "Works AG", kind: "oidc" };
const staff = { slug: "staff", name: "Staff directory", kind: "ldap" };
const gateway = { slug: "header", name: "Gateway", kind: "header" };
const identity: ConnectedIdentity = {
  ...{ id: "i1", provider: "Works AG", slug: "works", kind: "oidc", label: "ada@works.example" },
  ...{ createdAt: Date.UTC(2026, 0, 2), lastUsedAt: null },
};
const attempts = "POST /auth/sso/attempts";
const sso = { provider: "works", code: "c", state: "s" };

function open(identities: ConnectedIdentity[], answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}) {
  return openSettings("security", {
    "GET /auth/config": { json: { ...config.json, identityProviders: [works, staff, gateway] } },
    "GET /auth/sso/identities": { json: identities },
    "GET /auth/account": { json: { ...details, ...(identities.length > 0 && { hasIdentities: true }) } },
    ...answers,
  });
}

const section = () => within(screen.getByRole("region", { name: "Single sign-on" }));

test("a server without identity providers has no section", async () => {
  await openSettings("security");
  expect(await screen.findByRole("region", { name: "Passkeys" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Single sign-on" })).toBeNull();
});

test("identities have their label and their times", async () => {
  await open([identity]);
  expect(await section().findByText("ada@works.example")).toBeTruthy();
  expect(section().getByText(/^Connected since January 2, 2026\. No sign-in this way is recorded\./)).toBeTruthy();
  const ways = within(screen.getByRole("region", { name: "Ways to sign in" }));
  expect(ways.getByText(/If you lose that account, another way still signs you in\./)).toBeTruthy();
});

test("a directory is connected by the name and password there", async () => {
  const changes = await open([], { "POST /auth/sso/identities": [problem(400, "wrong-password"), done] });
  await press("Connect Staff directory");
  const form = within(screen.getByRole("form", { name: "Connect Staff directory" }));
  fireEvent.input(form.getByLabelText("Username"), { target: { value: "ada" } });
  fireEvent.input(form.getByLabelText("Password"), { target: { value: "wrong words" } });
  await act(async () => void fireEvent.submit(screen.getByRole("form", { name: "Connect Staff directory" })));
  expect(await form.findByText("That is not your password.")).toBeTruthy();
  fireEvent.input(form.getByLabelText("Password"), { target: { value: "right words" } });
  await act(async () => void fireEvent.submit(screen.getByRole("form", { name: "Connect Staff directory" })));
  expect(await section().findByText("Staff directory is connected.")).toBeTruthy();
  const sent = (password: string) => ({ directory: { provider: "staff", username: "ada", password } });
  expect(changes()).toEqual([
    ["POST /auth/sso/identities", sent("wrong words")],
    ["POST /auth/sso/identities", sent("right words")],
  ]);
});

test("the identity that a proxy names is connected at once", async () => {
  const changes = await open([], { "POST /auth/sso/identities": done });
  await press("Connect Gateway");
  expect(await section().findByText("Gateway is connected.")).toBeTruthy();
  expect(changes()).toEqual([["POST /auth/sso/identities", { header: true }]]);
});

test("connecting leaves for the provider, and remembers the purpose", async () => {
  const urls = catchLeaving();
  const changes = await open([], { [attempts]: { json: { url: "https://id.example/go", state: "s1" } } });
  await press("Connect Works AG");
  expect(urls).toEqual(["https://id.example/go"]);
  expect(changes()).toEqual([[attempts, { provider: "works", purpose: "connect" }]]);
  expect(JSON.parse(sessionStorage.getItem("parley.sso") ?? "")).toEqual({
    state: "s1",
    purpose: "connect",
    from: "/settings/security",
  });
});

test("the answer of the provider connects, after a proof if the server asks for one", async () => {
  pendingConnection.set(sso);
  const changes = await open([], {
    "POST /auth/sso/identities": [problem(403, "proof-needed"), done],
    "POST /auth/proof": { json: { provedUntil: 5 } },
    "GET /auth/sso/identities": [{ json: [] }, { json: [identity] }],
  });
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  fireEvent.input(dialog.getByLabelText("Password"), { target: { value: "my password" } });
  await press("Confirm");
  expect(await section().findByText("Works AG is connected.")).toBeTruthy();
  expect(await section().findByRole("button", { name: "Disconnect Works AG" })).toBeTruthy();
  expect(changes().filter(([call]) => call === "POST /auth/sso/identities")).toHaveLength(2);
  expect(pendingConnection.get()).toBeNull();
});

test("a refused connection has its sentence in the section", async () => {
  pendingConnection.set(sso);
  await open([], { "POST /auth/sso/identities": problem(409, "identity-taken") });
  expect((await section().findByRole("alert")).textContent).toBe("This identity is connected to another account here.");
});

test("disconnecting names the ways that are left, and asks first", async () => {
  const changes = await open([identity], { "DELETE /auth/sso/identities/i1": done });
  await press("Disconnect Works AG");
  const dialog = await screen.findByRole("alertdialog", { name: "Disconnect Works AG?" });
  expect(within(dialog).getByText(/You can still sign in by: Password\.$/)).toBeTruthy();
  await act(async () => within(dialog).getByRole("button", { name: "Disconnect" }).click());
  expect(await section().findByText("Works AG is disconnected.")).toBeTruthy();
  expect(section().queryByText("ada@works.example")).toBeNull();
  expect(changes()).toEqual([["DELETE /auth/sso/identities/i1", undefined]]);
});

test("a server that finds no other way to sign in has its sentence in the section", async () => {
  await open([identity], { "DELETE /auth/sso/identities/i1": problem(409, "last-sign-in") });
  await press("Disconnect Works AG");
  const dialog = await screen.findByRole("alertdialog");
  await act(async () => within(dialog).getByRole("button", { name: "Disconnect" }).click());
  expect((await section().findByRole("alert")).textContent).toMatch(/^Please set a password first/);
});

test("the only way to sign in cannot be disconnected, with the reason", async () => {
  await open([identity], {
    "GET /auth/account": { json: { ...details, hasPassword: false, hasIdentities: true } },
  });
  expect(await section().findByText("Set a password first: otherwise you could not sign in any more.")).toBeTruthy();
  const button = section().getByRole<HTMLButtonElement>("button", { name: "Disconnect Works AG" });
  expect(button.disabled).toBe(true);
});

test("a proof by the provider leaves the page, and names the page to come back to", async () => {
  const urls = catchLeaving();
  const changes = await open([identity], {
    "GET /auth/account": { json: { ...details, hasPassword: false, hasGoogle: true, hasIdentities: true } },
    "DELETE /auth/sso/identities/i1": problem(403, "proof-needed"),
    [attempts]: { json: { url: "https://id.example/go", state: "s2" } },
  });
  await press("Disconnect Works AG");
  const question = await screen.findByRole("alertdialog");
  await act(async () => within(question).getByRole("button", { name: "Disconnect" }).click());
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  const button = await dialog.findByRole("button", { name: "Continue with Works AG" });
  await act(async () => button.click());
  expect(urls).toEqual(["https://id.example/go"]);
  expect(changes().at(-1)).toEqual([attempts, { provider: "works", purpose: "prove" }]);
  expect(JSON.parse(sessionStorage.getItem("parley.sso") ?? "")).toMatchObject({ state: "s2", purpose: "prove" });
});

test("a proof for an account whose provider cannot prove says what to do", async () => {
  const { slug: _, kind: __, ...unproved } = identity;
  await open([unproved], {
    "GET /auth/account": { json: { ...details, hasPassword: false, hasIdentities: true } },
    [attempts]: problem(403, "proof-needed"),
  });
  await press("Connect Works AG");
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
  expect(await dialog.findByText(/^Your provider cannot confirm this here\./)).toBeTruthy();
});
