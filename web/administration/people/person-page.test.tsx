import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { AdministeredAccount } from "#contract/administration/administration.ts";
import { DAY } from "#contract/limits.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration, shownAddress } from "../../testing/open-administration.tsx";
import { eachTestAlone, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const eve: AdministeredAccount = {
  id: "eve",
  username: "eve",
  firstname: "Eve",
  lastname: "Polastri",
  email: "eve@example.org",
  role: "person",
  state: "active",
  createdAt: Date.UTC(2026, 0, 1),
  verifiedAt: Date.UTC(2026, 0, 2),
  storedBytes: 1_500_000,
  quotaMb: 20,
  hasGoogle: true,
  hasPassword: true,
  hasSecondFactor: false,
  lastSignIns: {},
  needsSecondFactor: false,
  sessions: [{ id: "s", method: "password", browser: "Firefox", system: "Linux", createdAt: 1, lastSeenAt: 2 }],
  usage: { month: "2026-01", replies: 12, inputTokens: 3400, outputTokens: 560, cost: 0.25 },
  files: 3,
  shares: 2,
  budgetUsd: 2,
  budgets: {
    account: { scope: "account", limit: 2, spent: 1, reserved: 0, month: "2026-01", resetsAt: Date.UTC(2026, 1, 1) },
  },
};
const changes = (calls: { method: string; body: unknown }[]) =>
  calls.filter(({ method }) => method === "PATCH").map(({ body }) => body);
const optionsOf = (label: string) =>
  [...screen.getByRole<HTMLSelectElement>("combobox", { name: label }).options].map(({ value }) => value);

test("the page of an account shows facts, sessions and usage", async () => {
  await openAdministration("people/eve", { "GET /admin/accounts/eve": { json: eve } });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Eve Polastri");
  for (const text of [
    "Google: no sign-in recorded",
    /1\.5 MB of .*20 MB.*3 files/,
    /12 replies.*3,400 tokens in, 560 out.*0\.25/,
  ]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(screen.getByText("Firefox on Linux")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Records about this account" }).getAttribute("href")).toBe(
    "/administration/audit?account=eve",
  );
});

test("the page of an account shows each way to sign in with its last use", async () => {
  const hoursAgo = (hours: number) => Date.now() - hours * 60 * 60 * 1000;
  const account = {
    ...eve,
    hasSecondFactor: true,
    hasPasskeys: true,
    passkeyUsedAt: hoursAgo(4),
    lastSignIns: { password: hoursAgo(3), recoveryCode: hoursAgo(7) },
    secondFactorUsedAt: hoursAgo(5),
    identities: [
      { id: "i1", provider: "The School", lastUsedAt: hoursAgo(6) },
      { id: "i2", provider: "https://old.example.org", lastUsedAt: null },
    ],
  };
  await openAdministration("people/eve", { "GET /admin/accounts/eve": { json: account } });
  const ways = screen.getByText("Signs in by").nextElementSibling?.querySelectorAll("li") ?? [];
  expect([...ways].map(({ textContent }) => textContent)).toEqual([
    "Password: last sign-in 3 hours ago",
    "Google: no sign-in recorded",
    "The School: last sign-in 6 hours ago",
    "https://old.example.org: no sign-in recorded",
    "Passkeys: last sign-in 4 hours ago",
    "Second factor: last sign-in 5 hours ago",
  ]);
});

test("the second factor of an account is shown, and reset after a question", async () => {
  const secured = { ...eve, hasSecondFactor: true };
  const calls = await openAdministration("people/eve", {
    "GET /admin/accounts/eve": [{ json: secured }, { json: eve }],
    "POST /admin/accounts/actions": { json: { results: [{ id: "eve", ok: true, changed: true }] } },
  });
  expect(screen.getByText("Second factor: no sign-in recorded")).toBeTruthy();
  await press("Reset second factor");
  const question = await screen.findByRole("alertdialog", { name: "Reset the second factor?" });
  expect(within(question).getByText(/Make sure that it is this person who asks/)).toBeTruthy();
  await act(async () => fireEvent.click(within(question).getByRole("button", { name: "Reset second factor" })));
  const sent = calls.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(sent).toEqual([{ ids: ["eve"], action: "reset-second-factor" }]);
  await waitFor(() => expect(screen.queryByText(/^Second factor:/)).toBeNull());
  expect(screen.queryByRole("button", { name: "Reset second factor" })).toBeNull();
});

test("the number of an account's links is shown, and all are revoked after a question", async () => {
  const calls = await openAdministration("people/eve", {
    "GET /admin/accounts/eve": [{ json: eve }, { json: { ...eve, shares: 0 } }],
    "POST /admin/accounts/actions": { json: { results: [{ id: "eve", ok: true, changed: true }] } },
  });
  const links = () => screen.getByText("Links to chats").nextElementSibling?.textContent;
  const button = () => screen.getByRole("button", { name: "Revoke all links" });
  expect(links()).toBe("2");
  await press("Revoke all links");
  const question = await screen.findByRole("alertdialog", { name: "Revoke all links?" });
  expect(within(question).getByText(/You see neither the links nor the chats/)).toBeTruthy();
  await act(async () => fireEvent.click(within(question).getByRole("button", { name: "Revoke all links" })));
  await waitFor(() => expect(links()).toBe("0"));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(button().getAttribute("aria-disabled")).toBe("true");
  await press("Revoke all links");
  expect(screen.queryByRole("alertdialog")).toBeNull();
  const sent = calls.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(sent).toEqual([{ ids: ["eve"], action: "revoke-shares" }]);
});

test("an owner gives any role but its own, and it is shown once the server has accepted it", async () => {
  const calls = await openAdministration("people/eve", {
    "GET /admin/accounts/eve": { json: eve },
    "PATCH /admin/accounts/eve": [problem(409, "last-owner"), { json: { ...eve, role: "administrator" } }],
  });
  expect(optionsOf("Role")).toEqual(["person", "manager", "administrator", "owner"]);
  fireEvent.change(screen.getByRole("combobox", { name: "Role" }), { target: { value: "administrator" } });
  const save = () =>
    act(async () => fireEvent.click(screen.getAllByRole("button", { name: "Save" })[0] as HTMLElement));
  await save();
  expect((await screen.findByRole("alert")).textContent).toMatch(/only owner left/);
  await save();
  expect(changes(calls)).toEqual([{ role: "administrator" }, { role: "administrator" }]);
  expect(await screen.findByText("The role was changed.")).toBeTruthy();
});

test("an administrator is offered the roles up to manager", async () => {
  await openAdministration("people/eve", { "GET /admin/accounts/eve": { json: eve } }, "administrator");
  expect(optionsOf("Role")).toEqual(["person", "manager"]);
});

test("an invalid quota is refused at its field, an empty one is the server's", async () => {
  const { quotaMb: _, ...unlimited } = eve;
  const calls = await openAdministration("people/eve", {
    "GET /admin/accounts/eve": { json: eve },
    "PATCH /admin/accounts/eve": { json: unlimited },
  });
  const save = () =>
    act(async () => fireEvent.click(screen.getAllByRole("button", { name: "Save" })[1] as HTMLElement));
  type("Quota in MB", "lots");
  await save();
  expect(screen.getByText("Enter a whole number of megabytes, or nothing.")).toBeTruthy();
  type("Quota in MB", "");
  await save();
  expect(changes(calls)).toEqual([{ quotaMb: null }]);
  expect(await screen.findByText("Saved.")).toBeTruthy();
});

test("the budget of an account is shown, changed and removed; an invalid one is refused at its field", async () => {
  const { budgetUsd: _, ...unlimited } = eve;
  const calls = await openAdministration("people/eve", {
    "GET /admin/accounts/eve": { json: eve },
    "PATCH /admin/accounts/eve": [{ json: { ...eve, budgetUsd: 0.5 } }, { json: { ...unlimited, budgets: {} } }],
  });
  const save = () =>
    act(async () => fireEvent.click(screen.getAllByRole("button", { name: "Save" })[2] as HTMLElement));
  expect(screen.getByRole<HTMLProgressElement>("progressbar", { name: "This account" }).value).toBe(0.5);
  type("Budget in US dollars", "0.001");
  await save();
  expect(screen.getByText("Enter an amount from 0.01, or nothing.")).toBeTruthy();
  type("Budget in US dollars", "0,5");
  await save();
  type("Budget in US dollars", "");
  await save();
  expect(changes(calls)).toEqual([{ budgetUsd: 0.5 }, { budgetUsd: null }]);
  expect(await screen.findByText("No budget limits this account on its own.")).toBeTruthy();
});

test("a second factor is required of an account, and not any more", async () => {
  const calls = await openAdministration("people/eve", {
    "GET /admin/accounts/eve": { json: eve },
    "PATCH /admin/accounts/eve": [{ json: { ...eve, needsSecondFactor: true } }, { json: eve }],
  });
  const box = () => screen.getByLabelText<HTMLInputElement>("Require a second factor");
  const save = () =>
    act(async () => fireEvent.click(screen.getAllByRole("button", { name: "Save" })[3] as HTMLElement));
  for (const isRequired of [true, false]) {
    await act(async () => fireEvent.click(box()));
    await save();
    expect(box().checked).toBe(isRequired);
  }
  expect(changes(calls)).toEqual([{ needsSecondFactor: true }, { needsSecondFactor: false }]);
});

test("the page of a deleted account leads back to the list", async () => {
  await openAdministration("people/eve", {
    "GET /admin/accounts/eve": { json: eve },
    "POST /admin/accounts/actions": { json: { results: [{ id: "eve", ok: true, changed: true }] } },
    "GET /admin/accounts?sort=created&direction=desc": { json: { accounts: [], total: 0 } },
  });
  await press("Delete");
  const [, confirm] = screen.getAllByRole("button", { name: "Delete", hidden: true });
  await act(async () => fireEvent.click(confirm as HTMLElement));
  await waitFor(() => expect(shownAddress()).toBe("/administration/people"));
});

describe("ownership", () => {
  const link = "https://chat.example.org/become-owner#key=secret";
  const offer = { staysOwner: false, offeredBy: { id: "1", username: "ada" }, expiresAt: Date.now() + 7 * DAY };
  const section = () => screen.queryByRole("heading", { name: "Ownership" });
  const chooseOwner = () =>
    act(async () => fireEvent.change(screen.getByRole("combobox", { name: "Role" }), { target: { value: "owner" } }));
  const offered = (calls: { path: string; body: unknown }[]) =>
    calls.filter(({ path }) => path.endsWith("/ownership-offer")).map(({ body }) => body);

  test("ownership can be shared or handed over by a link that is shown once, and withdrawn", async () => {
    const calls = await openAdministration("people/eve", {
      "GET /admin/accounts/eve": { json: eve },
      "POST /admin/accounts/eve/ownership-offer": [
        problem(403, "not-permitted"),
        { status: 201, json: { offer, link } },
      ],
      "DELETE /admin/accounts/eve/ownership-offer": { status: 204, text: "" },
    });
    expect(section()).toBeNull();
    await chooseOwner();
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /^Share ownership/ }).checked).toBe(true);
    await act(async () => fireEvent.click(screen.getByRole("radio", { name: /^Hand over ownership/ })));
    await press("Offer ownership");
    expect((await screen.findByRole("alert")).textContent).toMatch(/may not do this/);
    await press("Offer ownership");
    expect(offered(calls)).toEqual([{ staysOwner: false }, { staysOwner: false }]);
    expect(document.activeElement?.textContent).toBe("The offer is ready");
    expect(screen.getByLabelText<HTMLInputElement>("Link of the offer").value).toBe(link);
    expect(screen.getByText(/on its way to eve@example.org/)).toBeTruthy();
    expect(screen.getByText("ada offers to hand over ownership.")).toBeTruthy();
    expect(screen.getByText("Not accepted yet; ends in 7 days")).toBeTruthy();
    expect(screen.queryByRole("radio")).toBeNull();
    await press("Withdraw");
    expect(await screen.findByText("The offer was withdrawn.")).toBeTruthy();
    expect(screen.queryByLabelText("Link of the offer")).toBeNull();
    expect(document.activeElement).toBe(section());
    expect(screen.getAllByRole("radio")).toHaveLength(2);
  });

  test("an open offer of ownership is shown without its link", async () => {
    const shown = { ...eve, ownershipOffer: { ...offer, staysOwner: true } };
    await openAdministration("people/eve", { "GET /admin/accounts/eve": { json: shown } });
    expect(screen.getByText("ada offers to share ownership.")).toBeTruthy();
    expect(screen.queryByText(/become-owner/)).toBeNull();
  });

  test.each<[string, Partial<AdministeredAccount>, "owner" | "administrator"]>([
    ["an owner", { role: "owner" }, "owner"],
    ["a disabled account", { state: "disabled" }, "owner"],
    ["an unverified account", { state: "unverified" }, "owner"],
    ["anybody, by an administrator", {}, "administrator"],
  ])("ownership is not offered to %s", async (_, changed, role) => {
    await openAdministration("people/eve", { "GET /admin/accounts/eve": { json: { ...eve, ...changed } } }, role);
    expect(screen.getByRole("heading", { name: "Role" })).toBeTruthy();
    await chooseOwner();
    expect(section()).toBeNull();
  });
});

const groups = {
  json: {
    groups: [
      {
        ...{ id: "g", name: "Choir", members: 1, models: null, unknownModels: [], defaultModel: null, quotaMb: null },
        ...{
          budget: null,
          memberBudget: null,
          isOwnersOnly: false,
          timeZone: "UTC",
          needsSecondFactor: false,
          mayShare: true,
          createdAt: 1,
        },
      },
    ],
    choices: [],
  },
};

test("an account is moved to a group, whose quota counts if it has no own one", async () => {
  const { quotaMb: _, ...plain } = eve;
  const moved = { ...plain, group: { id: "g", name: "Choir" }, groupQuotaMb: 7 };
  const calls = await openAdministration("people/eve", {
    "GET /admin/groups": groups,
    "GET /admin/accounts/eve": { json: plain },
    "PATCH /admin/accounts/eve": { json: moved },
  });
  fireEvent.change(screen.getByRole("combobox", { name: "Group" }), { target: { value: "g" } });
  const section = within(screen.getByRole("region", { name: "Group" }));
  await act(async () => fireEvent.click(section.getByRole("button", { name: "Save" })));
  expect(changes(calls)).toEqual([{ groupId: "g" }]);
  expect(screen.getByText(/1\.5 MB of .*7 MB.*the group’s quota/)).toBeTruthy();
});

test("a manager can read the facts of a member, but not change role, group or quota", async () => {
  await openAdministration(
    "people/eve",
    { "GET /admin/groups": groups, "GET /admin/accounts/eve": { json: eve } },
    "manager",
  );
  expect(screen.getByRole("button", { name: "Disable" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Save|Delete/ })).toBeNull();
  expect(screen.queryByRole("link", { name: "Records about this account" })).toBeNull();
});
