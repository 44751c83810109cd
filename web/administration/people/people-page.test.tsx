import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { ListedAccount } from "#contract/administration/administration.ts";
import { answerProof } from "../../proof/proof.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration, shownAddress } from "../../testing/open-administration.tsx";
import { eachTestAlone, press, type } from "../../testing/open-settings.tsx";
import { saveFile } from "../../ui/save-file.ts";

vi.mock("../../ui/save-file.ts", () => ({ saveFile: vi.fn() }));

eachTestAlone();

const first = "/admin/accounts?sort=created&direction=desc";
const person = (id: string, more: Partial<ListedAccount> = {}): ListedAccount => ({
  id,
  username: id,
  firstname: "Eve",
  lastname: id.toUpperCase(),
  email: `${id}@example.org`,
  role: "person",
  state: "active",
  createdAt: 1,
  storedBytes: 2_500_000,
  usage: { replies: 0 },
  ...more,
});
const list = (...accounts: ListedAccount[]) => ({ json: { accounts, total: accounts.length } });
const choose = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));
const select = (name: string) => act(async () => fireEvent.click(screen.getByLabelText(`Select ${name}`)));
const menu = () =>
  act(async () => void fireEvent.keyDown(screen.getByRole("button", { name: "More actions" }), { key: "Enter" }));
const menuItems = () => screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
/** Chooses an action of the menu of the selected people. */
const choosing = async (action: string) => {
  await menu();
  await act(async () => fireEvent.click(screen.getByRole("menuitem", { name: action })));
};
const rows = () => screen.getAllByRole("row").slice(1);
const acted = (calls: { method: string; body: unknown }[]) =>
  calls.filter(({ method }) => method === "POST").map(({ body }) => body);

test("each person is listed with role, state, last use and storage", async () => {
  const boss = person("boss", { role: "administrator", lastSeenAt: Date.now() });
  await openAdministration("people", { [`GET ${first}`]: list(boss, person("new", { state: "unverified" })) });
  expect(rows()).toHaveLength(2);
  expect(rows()[0]?.textContent).toMatch(/Eve BOSS.*Administrator.*boss@example\.org.*2\.5 MB/);
  expect(rows()[1]?.textContent).toMatch(/Eve NEW.*Not verified.*Never/);
  expect(screen.getByText("2 people")).toBeTruthy();
});

test("the list shows and sorts by the replies and the cost of the month", async () => {
  const spender = person("spender", { usage: { replies: 1200, cost: 3.5 } });
  await openAdministration("people", {
    [`GET ${first}`]: list(person("a")),
    "GET /admin/accounts?sort=cost&direction=desc": list(spender, person("a")),
  });
  await choose("Sort by", "cost");
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(rows()[0]?.textContent).toMatch(/1,200\$3\.50/);
});

test("the list shows by which ways each person signs in, and lists those with one way", async () => {
  const member = person("member", { ways: ["password", "sso"] });
  await openAdministration("people", {
    [`GET ${first}`]: list(member, person("letters", { ways: [] })),
    "GET /admin/accounts?way=sso&sort=created&direction=desc": list(member),
  });
  const icons = () => rows().map((row) => within(row).queryByRole("img")?.getAttribute("aria-label"));
  expect(icons()).toEqual(["Signs in by: Password and Sign-in provider", undefined]);
  await choose("Signs in by", "sso");
  await waitFor(() => expect(rows()).toHaveLength(1));
});

test("people are invited from their list", async () => {
  await openAdministration("people", {
    [`GET ${first}`]: list(person("a")),
    "GET /admin/invitations": { json: { invitations: [], hasTrustedNetworks: false } },
  });
  await press("Invite");
  expect(shownAddress()).toBe("/administration/invitations");
});

test("search, filters and order request a new list, and the old one stays meanwhile", async () => {
  const found = Promise.withResolvers<Response>();
  await openAdministration("people", {
    [`GET ${first}`]: list(person("eve")),
    "GET /admin/accounts?q=bo&role=owner&state=disabled&sort=name&direction=asc": () => found.promise,
  });
  await act(async () => type("Search people", "bo"));
  await choose("Role", "owner");
  await choose("State", "disabled");
  await choose("Sort by", "name");
  await waitFor(() => expect(screen.getByRole("table").closest("[aria-busy=true]")).toBeTruthy());
  expect(rows()).toHaveLength(1);
  await act(async () => found.resolve(Response.json(list(person("bob"), person("bosse")).json)));
  expect(rows()).toHaveLength(2);
});

test("the next page of people is appended, and its first person takes the focus", async () => {
  await openAdministration("people", {
    [`GET ${first}`]: { json: { accounts: [person("a"), person("b")], total: 3, next: "cursor" } },
    [`GET ${first}&after=cursor`]: { json: { accounts: [person("c")], total: 3 } },
  });
  await press("Show more");
  expect(rows()).toHaveLength(3);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  await waitFor(() => expect(document.activeElement?.id).toBe("c"));
});

describe("actions on several people", () => {
  test("actions on several people are confirmed, run for those selected, and report a refused person with the reason", async () => {
    const results = [
      { id: "a", ok: true, changed: true },
      { id: "b", ok: false, code: "last-owner" },
    ];
    const calls = await openAdministration("people", {
      [`GET ${first}`]: list(person("a"), person("b", { role: "owner" }), person("c")),
      "POST /admin/accounts/actions": { json: { results } },
    });
    await select("Eve A");
    await select("Eve B");
    expect(screen.getByText("2 selected")).toBeTruthy();
    await choosing("Disable");
    const dialog = screen.getByRole("alertdialog", { name: "Disable 2 accounts?" });
    expect(acted(calls)).toEqual([]);
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Disable" })));
    expect(acted(calls)).toEqual([{ ids: ["a", "b"], action: "disable" }]);
    expect(screen.getByText(/Done for 1 account\..*Eve B: .*only owner left/)).toBeTruthy();
    expect(rows()[0]?.textContent).toContain("Disabled");
    expect(rows()[1]?.textContent).not.toContain("Disabled");
  });

  test("actions on several people need one proof, and continue after it", async () => {
    const calls = await openAdministration("people", {
      [`GET ${first}`]: list(person("a", { state: "disabled" })),
      "POST /admin/accounts/actions": [
        problem(403, "proof-needed"),
        { json: { results: [{ id: "a", ok: true, changed: true }] } },
      ],
    });
    await select("Eve A");
    await choosing("Enable");
    expect(await screen.findByRole("dialog", { name: "Confirm that it is you" })).toBeTruthy();
    await act(async () => answerProof(true));
    await screen.findByText(/Done for 1 account\./);
    expect(acted(calls)).toHaveLength(2);
  });

  test("people who were deleted together leave the list", async () => {
    await openAdministration("people", {
      [`GET ${first}`]: list(person("a"), person("b")),
      "POST /admin/accounts/actions": { json: { results: [{ id: "a", ok: true, changed: true }] } },
    });
    await select("Eve A");
    await choosing("Delete");
    const dialog = screen.getByRole("alertdialog", { name: "Delete this account?" });
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Delete" })));
    expect(rows()).toHaveLength(1);
  });
});

test("the list of people is saved as CSV with the same filter", async () => {
  const calls = await openAdministration("people", {
    [`GET ${first}`]: list(person("a")),
    "GET /admin/accounts/csv?sort=created&direction=desc": { text: "username" },
  });
  await press("Save as CSV");
  expect(saveFile).toHaveBeenCalledWith(expect.any(Blob), "people.csv");
  expect(calls.filter(({ path }) => path.includes("csv"))).toHaveLength(1);
});

test("an empty list of people and a failed one show a message, and the failed one can be read again", async () => {
  await openAdministration("people", { [`GET ${first}`]: [problem(503, "unavailable"), list()] });
  expect((await screen.findByRole("alert")).textContent).toContain("not available right now");
  await press("Try again");
  expect(await screen.findByText("Nobody was found")).toBeTruthy();
});

test("a person without the role gets the reason, and nothing is requested", async () => {
  const calls = await openAdministration("people", {}, "person");
  expect(screen.getByText("Only administrators can open this page.")).toBeTruthy();
  expect(calls.filter(({ path }) => path.startsWith("/admin"))).toEqual([]);
});

test("the name of a person leads to the account's page", async () => {
  await openAdministration("people", {
    [`GET ${first}`]: list(person("a")),
    "GET /admin/accounts/a": problem(404, "not-found"),
  });
  await act(async () => fireEvent.click(screen.getByRole("link", { name: "Eve A" })));
  expect(shownAddress()).toBe("/administration/people/a");
  expect(await screen.findByText("This account does not exist any more.")).toBeTruthy();
});

describe("groups of people", () => {
  const choir = { id: "g", name: "Choir", members: 1, models: null, unknownModels: [], defaultModel: null };
  const groups = {
    json: {
      groups: [
        {
          ...choir,
          quotaMb: 50,
          budget: null,
          memberBudget: null,
          isOwnersOnly: false,
          timeZone: "UTC",
          needsSecondFactor: false,
          mayShare: true,
          createdAt: 1,
        },
      ],
      choices: [],
    },
  };

  test("groups filter the list, also from the address, and are shown with the quota that counts", async () => {
    const member = person("a", { group: { id: "g", name: "Choir" }, groupQuotaMb: 50 });
    await openAdministration("people?group=g", {
      "GET /admin/groups": groups,
      "GET /admin/accounts?group=g&sort=created&direction=desc": list(member, person("b", { quotaMb: 20 })),
      "GET /admin/accounts?group=none&sort=created&direction=desc": list(),
    });
    expect(rows()[0]?.textContent).toMatch(/Choir.*of 50 MB \(group\)/);
    expect(rows()[1]?.textContent).toMatch(/of 20 MB$/);
    await choose("Group", "none");
    await screen.findByText("Nobody was found");
  });

  test("several people are moved into a group at once", async () => {
    const calls = await openAdministration("people", {
      "GET /admin/groups": groups,
      [`GET ${first}`]: list(person("a"), person("b")),
      "POST /admin/accounts/actions": { json: { results: [{ id: "a", ok: true, changed: true }] } },
    });
    await select("Eve A");
    await press("Move to group");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Move" }).disabled).toBe(true);
    expect(screen.getByRole("option", { name: "Choose a group…", selected: true })).toBeTruthy();
    await act(async () =>
      fireEvent.change(within(screen.getByRole("dialog")).getByLabelText("Group"), { target: { value: "g" } }),
    );
    await press("Move");
    expect(acted(calls)).toEqual([{ ids: ["a"], action: "set-group", groupId: "g" }]);
    expect(rows()[0]?.textContent).toMatch(/Choir.*of 50 MB \(group\)/);
  });

  test("a manager neither deletes nor moves people, and acts on persons only", async () => {
    await openAdministration(
      "people",
      { "GET /admin/groups": groups, [`GET ${first}`]: list(person("a"), person("b", { role: "manager" })) },
      "manager",
    );
    expect(screen.getByText(/^The members of your group/)).toBeTruthy();
    expect(screen.queryByLabelText("Group")).toBeNull();
    await select("Eve B");
    expect(screen.queryByRole("button", { name: "More actions" })).toBeNull();
    await select("Eve A");
    expect(screen.queryByRole("button", { name: "Move to group" })).toBeNull();
    await menu();
    expect(menuItems()).toEqual(["Sign out everywhere", "Mail a reset link", "Disable"]);
  });
});
