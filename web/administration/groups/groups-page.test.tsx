import { act, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { AccountGroup, AccountGroupList } from "#contract/administration/groups.ts";
import { ada, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration, shownAddress } from "../../testing/open-administration.tsx";
import { eachTestAlone, field, noteOf, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const read = "GET /admin/groups";
const choices: AccountGroupList["choices"] = [
  {
    label: "OpenAI",
    models: [
      { label: "GPT-5 mini", value: "GPT:gpt-5-mini", available: true },
      { label: "GPT-5", value: "GPT:gpt-5", available: true },
    ],
  },
  { label: "Anthropic", models: [{ label: "Opus", value: "CLAUDE:opus", available: false }] },
];
const group = (id: string, more: Partial<AccountGroup> = {}): AccountGroup => ({
  ...{
    id,
    name: id,
    members: 0,
    isOwnersOnly: false,
    models: null,
    unknownModels: [],
    defaultModel: null,
    quotaMb: null,
  },
  ...{ budget: null, memberBudget: null, timeZone: "UTC", needsSecondFactor: false, mayShare: true, createdAt: 1 },
  ...more,
});
const list = (...groups: AccountGroup[]) => ({ json: { groups, choices } });
const changes = (calls: { method: string; path: string; body: unknown }[]) =>
  calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
const check = (label: string | RegExp) => act(async () => fireEvent.click(screen.getByLabelText(label)));
const choose = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));
const statuses = () => screen.getAllByRole("status").map(({ textContent }) => textContent);

test("a group's budget shows what is spent of it this month, also after a change of its limit", async () => {
  const budgetState = { scope: "group", limit: 20, spent: 17, reserved: 0, month: "2026-01", resetsAt: 1 } as const;
  const choir = group("Choir", { budget: 20, budgetState });
  await openAdministration("groups", {
    [read]: list(choir),
    "PATCH /admin/groups/Choir": { json: group("Choir", { budget: 34 }) },
  });
  const bar = () => screen.getByRole<HTMLProgressElement>("progressbar", { name: "Monthly budget" });
  expect(bar().value).toBe(0.85);
  expect(screen.getByText(/Nearly used up/)).toBeTruthy();
  await press("Edit Choir");
  await press("Save");
  expect(bar().value).toBe(0.5);
});

test("groups are shown with members, models, storage and budgets", async () => {
  const models = ["GPT:gpt-5-mini", "LOCAL:gone"];
  const limits = { quotaMb: 50, budget: 20, memberBudget: 1.5, timeZone: "Asia/Tokyo", needsSecondFactor: true };
  await openAdministration("groups", {
    [read]: list(
      group("Class", { members: 28, models, unknownModels: ["LOCAL:gone"], defaultModel: "GPT:gpt-5-mini", ...limits }),
      group("Team", { mayShare: false }),
    ),
  });
  const [first, second] = within(screen.getByRole("list", { name: "Groups" })).getAllByRole("listitem");
  expect(first?.textContent).toMatch(/28 members.*GPT-5 mini, gone.*1 of them is not on this server.*50 MB.*20.*1\.5/);
  expect(first?.textContent).toMatch(/Asia\/Tokyo.*Second factorRequired/);
  expect(first?.textContent).not.toContain("Links to chats");
  expect(second?.textContent).toMatch(/Links to chatsNot allowed/);
  expect(second?.textContent).not.toContain("Second factor");
  expect(second?.textContent).toMatch(/0 members.*All.*Automatic.*The server’s quota.*None.*None/);
  expect(screen.getByRole("link", { name: "28 members" }).getAttribute("href")).toBe(
    "/administration/people?group=Class",
  );
});

test("the page of groups shows that it is loading, is empty, or has failed", async () => {
  await openAdministration("groups", { [read]: [problem(503, "unavailable"), list()] });
  expect(screen.getByRole("alert").textContent).toContain("not available right now");
  await press("Try again");
  expect(screen.getByText("There are no groups yet")).toBeTruthy();
});

describe("the form of a new group", () => {
  test("creates a group with chosen models, a default among them, storage and budgets", async () => {
    const made = group("new", { name: "Class 7b" });
    const calls = await openAdministration("groups", {
      [read]: list(),
      "POST /admin/groups": { status: 201, json: made },
    });
    await press("New group");
    expect(document.activeElement?.textContent).toBe("New group");
    type("Name", " Class 7b ");
    await check(/^Some models/);
    await press("Create group");
    expect(screen.getByRole("alert").textContent).toBe("Choose at least one model.");
    type("Search models", "gpt mini");
    await check("GPT-5 mini");
    type("Search models", "anthropic");
    await check(/^Opus/);
    expect(screen.getByText("2 chosen")).toBeTruthy();
    type("Search models", "nothing like it");
    expect(screen.getByText("No model has this name.")).toBeTruthy();
    const offered = [...screen.getByLabelText<HTMLSelectElement>("Default model").options].map(({ value }) => value);
    expect(offered).toEqual(["", "GPT:gpt-5-mini", "CLAUDE:opus"]);
    await choose("Default model", "CLAUDE:opus");
    type("Storage for each member in MB", "50");
    type("Budget of the group in US dollars a month", "20,5");
    await choose("Time zone", "Asia/Tokyo");
    await check("Members need a second factor");
    await press("Create group");
    const body = {
      ...{ name: "Class 7b", models: ["GPT:gpt-5-mini", "CLAUDE:opus"], defaultModel: "CLAUDE:opus", quotaMb: 50 },
      ...{ budget: 20.5, memberBudget: null, timeZone: "Asia/Tokyo", needsSecondFactor: true, mayShare: true },
    };
    expect(changes(calls)).toEqual([["POST /admin/groups", body]]);
    expect(statuses()).toContain("The group was saved.");
    expect(document.activeElement?.id).toBe("new");
  });

  test("refuses a group with invalid amounts or a taken name", async () => {
    const taken = problem(400, "invalid-input", { issues: [{ field: "name", rule: "taken", message: "" }] });
    const calls = await openAdministration("groups", { [read]: list(), "POST /admin/groups": taken });
    await press("New group");
    type("Name", "Class");
    type("Storage for each member in MB", "1.5");
    type("Budget of each member in US dollars a month", "0.001");
    await press("Create group");
    expect(noteOf("Storage for each member in MB")).toBe("Storage is not valid");
    expect(noteOf("Budget of each member in US dollars a month")).toBe("Budget of each member is not valid");
    expect(changes(calls)).toEqual([]);
    type("Storage for each member in MB", "");
    type("Budget of each member in US dollars a month", "");
    await press("Create group");
    expect(noteOf("Name")).toBe("Name is already taken");
    expect(document.activeElement).toBe(field("Name"));
  });
});

test("two thousand models are rendered by hundreds, and found by a search", async () => {
  const models = Array.from({ length: 2000 }, (_, at) => ({
    label: `m-${at}`,
    value: `HOME:m-${at}`,
    available: true,
  }));
  const calls = await openAdministration("groups", {
    [read]: {
      json: { groups: [group("Choir", { models: ["HOME:m-0"] })], choices: [...choices, { label: "Home", models }] },
    },
    "PATCH /admin/groups/Choir": { json: group("Choir") },
  });
  const boxes = () => screen.getAllByRole("checkbox", { name: /^(m-|GPT|Opus)/ });
  await press("Edit Choir");
  expect(boxes()).toHaveLength(100);
  await press("Show more (1903 left)");
  expect(boxes()).toHaveLength(200);
  type("Search models", "m-1999");
  await check(/^m-1999/);
  await check("Members may share chats by links");
  await press("Save");
  const change = { mayShare: false, models: ["HOME:m-0", "HOME:m-1999"] };
  expect(changes(calls)).toEqual([["PATCH /admin/groups/Choir", change]]);
});

test("the default model of a group is chosen from a searched list of its models if there are many", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const models = Array.from({ length: 700 }, (_, at) => ({
    label: `m-${at}`,
    value: `HOME:m-${at}`,
    available: true,
  }));
  const cellar = { label: "Cellar", unreachable: "CELLAR:", models: [] };
  const calls = await openAdministration("groups", {
    [read]: {
      json: {
        groups: [group("Choir", { defaultModel: "CELLAR:mistral" })],
        choices: [{ label: "Home", models }, cellar],
      },
    },
    "PATCH /admin/groups/Choir": { json: group("Choir") },
  });
  await press("Edit Choir");
  await press("Default model: mistral (does not answer now)");
  const search = await screen.findByRole("combobox", { name: "Search models" });
  const listed = () => within(screen.getByRole("listbox", { name: "Models" })).getAllByRole("option");
  const isChosen = (option: HTMLElement) => option.getAttribute("aria-selected") === "true";
  expect(listed().find(isChosen)?.textContent).toBe("mistraldoes not answer now");
  fireEvent.change(search, { target: { value: "m-699" } });
  expect(listed()).toHaveLength(1);
  await act(async () => void fireEvent.keyDown(search, { key: "Enter" }));
  await press("Default model: m-699");
  await act(
    async () => void fireEvent.keyDown(await screen.findByRole("combobox", { name: "Search models" }), { key: "Home" }),
  );
  await act(
    async () =>
      void fireEvent.keyDown(await screen.findByRole("combobox", { name: "Search models" }), { key: "Enter" }),
  );
  await press("Default model: Automatic");
  expect(listed().length).toBeLessThan(50);
  await act(
    async () =>
      void fireEvent.keyDown(await screen.findByRole("combobox", { name: "Search models" }), { key: "Escape" }),
  );
  await press("Save");
  expect(changes(calls)).toEqual([["PATCH /admin/groups/Choir", { defaultModel: null }]]);
  expect(localStorage.getItem(`model:${ada.id}:recent`)).toBeNull();
});

test("an edit of one field sends that field only, so that it does not undo another administrator's change", async () => {
  const calls = await openAdministration("groups", {
    [read]: list(group("Choir", { budget: 20, models: ["GPT:gpt-5"] })),
    "PATCH /admin/groups/Choir": { json: group("Choir", { name: "Big choir", budget: 5 }) },
  });
  await press("Edit Choir");
  type("Name", "Big choir");
  await press("Save");
  expect(changes(calls)).toEqual([["PATCH /admin/groups/Choir", { name: "Big choir" }]]);
});

test("a group is edited in its line, and models that the server lacks stay until they are removed", async () => {
  const own = group("g", { name: "Class", models: ["GPT:gpt-5", "LOCAL:gone"], defaultModel: "LOCAL:gone" });
  const saved = { ...own, models: ["GPT:gpt-5"], defaultModel: null };
  const calls = await openAdministration("groups", { [read]: list(own), "PATCH /admin/groups/g": { json: saved } });
  await press("Edit Class");
  expect(screen.getByLabelText<HTMLSelectElement>("Default model").value).toBe("LOCAL:gone");
  await check(/^gone · no longer available/);
  await press("Save");
  const body = { models: ["GPT:gpt-5"], defaultModel: null };
  expect(changes(calls)).toEqual([["PATCH /admin/groups/g", body]]);
  expect(document.activeElement?.id).toBe("g");
  await press("Edit Class");
  await press("Cancel");
  expect(document.activeElement?.id).toBe("g");
});

test("a group is deleted after a question that names the consequence", async () => {
  const calls = await openAdministration("groups", {
    [read]: list(group("g", { name: "Class", members: 3 })),
    "DELETE /admin/groups/g": { json: { members: 3, invitations: 1 } },
  });
  await press("Delete Class");
  const dialog = screen.getByRole("alertdialog", { name: "Delete “Class”?" });
  expect(dialog.textContent).toContain("3 members leave it and can then use all models.");
  expect(changes(calls)).toEqual([]);
  await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Delete" })));
  expect(statuses()).toContain("The group is deleted. 3 people are in no group now. 1 invitation was revoked.");
  expect(screen.getByText("There are no groups yet")).toBeTruthy();
});

describe("groups that only owners change", () => {
  const why = "Only owners can change this group, because an administrator or owner is a member or is invited into it.";
  const guarded = list(group("Staff", { isOwnersOnly: true, budget: 20 }), group("Class"));

  test("an administrator reads why a group of owners cannot be changed, and changes other groups", async () => {
    await openAdministration("groups", { [read]: guarded }, "administrator");
    const [staff, pupils] = within(screen.getByRole("list", { name: "Groups" })).getAllByRole("listitem");
    expect(staff?.textContent).toContain(why);
    expect(pupils?.textContent).not.toContain(why);
    const changing = screen.getAllByRole("button", { name: /^(Edit|Delete) / });
    expect(changing.map((button) => button.getAttribute("aria-label"))).toEqual(["Edit Class", "Delete Class"]);
  });

  test("an owner changes a group of owners", async () => {
    await openAdministration("groups", { [read]: guarded });
    expect(screen.queryByText(why)).toBeNull();
    expect(screen.getByRole("button", { name: "Edit Staff" })).toBeTruthy();
  });

  test.each([
    ["administrator", true],
    ["owner", false],
  ] as const)(
    "an invitation by an %s into a group whose owners share a budget: not offered is %s",
    async (role, isOff) => {
      const invitations = { "GET /admin/invitations": { json: { invitations: [], hasTrustedNetworks: false } } };
      await openAdministration("invitations", { [read]: guarded, ...invitations }, role);
      await press("Invite people");
      const options = [...screen.getByLabelText<HTMLSelectElement>("Group").options];
      expect(options.map(({ text, disabled }) => [text, disabled])).toEqual([
        ["No group", false],
        ["Staff", isOff],
        ["Class", false],
      ]);
    },
  );
});

describe("groups for a manager", () => {
  const own = { json: { groups: [group("g", { name: "Class", members: 3 })], choices: [] } };

  test("a manager has three pages, and is redirected to the people from others", async () => {
    const people = { "GET /admin/accounts?sort=created&direction=desc": { json: { accounts: [], total: 0 } } };
    await openAdministration("overview", { [read]: own, ...people }, "manager");
    expect(shownAddress()).toBe("/administration/people");
    const navigation = screen.getByRole("navigation", { name: "Administration" });
    const links = within(navigation).getAllByRole("link");
    expect(links.map(({ textContent }) => textContent)).toEqual(["Back to chats", "People", "Invitations", "Groups"]);
    expect(screen.getByText("You are not in a group")).toBeTruthy();
  });

  test("a manager can read the own group, but not change it, and without a group gets a hint whom to contact", async () => {
    await openAdministration("groups", { [read]: own }, "manager");
    expect(screen.getByText("Class")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /New group|Edit|Delete/ })).toBeNull();
  });

  test("a manager without a group has no form for invitations", async () => {
    const calls = await openAdministration("invitations", { [read]: { json: { groups: [], choices: [] } } }, "manager");
    expect(screen.getByText("You are not in a group")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Invite people" })).toBeNull();
    expect(calls.map(({ path }) => path)).not.toContain("/admin/invitations");
  });

  test("a manager invites persons into the own group", async () => {
    const made = { ...invitation, group: { id: "g", name: "Class" } };
    const calls = await openAdministration(
      "invitations",
      {
        [read]: own,
        "GET /admin/invitations": { json: { invitations: [], hasTrustedNetworks: false } },
        "POST /admin/invitations": { status: 201, json: { invitation: made, link: "https://x.example/register#k" } },
      },
      "manager",
    );
    await press("Invite people");
    expect(screen.getByText("The people join your group, Class.")).toBeTruthy();
    const roles = [...screen.getByLabelText<HTMLSelectElement>("Role").options].map(({ value }) => value);
    expect(roles).toEqual(["person"]);
    expect(screen.queryByLabelText("Group")).toBeNull();
    await check(/^Several people/);
    await press("Create invitation");
    expect(changes(calls)[0]?.[1]).not.toHaveProperty("groupId");
  });
});

const invitation = {
  ...{ id: "i", state: "active", createdAt: 1, createdBy: { id: "1" }, expiresAt: Date.now() + 100_000 },
  ...{ uses: 0, usesMax: 10, role: "person", note: "", users: [] },
};
