import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { Invitation } from "#contract/administration/invitations.ts";
import { DAY } from "#contract/limits.ts";
import { answerProof } from "../../proof/proof.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { config, done, eachTestAlone, field, noteOf, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const read = "GET /admin/invitations";
const create = "POST /admin/invitations";
const link = "https://parley.example/register#invitation=k-9";

const invitation = (id: string, more: Partial<Invitation> = {}): Invitation => ({
  id,
  state: "active",
  createdAt: Date.now() - 2 * DAY,
  createdBy: { id: "1", username: "ada" },
  expiresAt: Date.now() + 5 * DAY,
  uses: 3,
  usesMax: 10,
  role: "person",
  note: "",
  users: [],
  ...more,
});
const user = (name: string, isVerified = true) => ({ id: name, username: name, at: Date.now(), isVerified });
const list = (...invitations: Invitation[]) => ({ json: { invitations, hasTrustedNetworks: false } });
const rows = () => within(screen.getByRole("list", { name: "Invitations" })).getAllByRole("listitem");
const row = (id: string) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no row ${id}`);
  return found;
};
const choose = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));
const check = (label: RegExp) => act(async () => fireEvent.click(screen.getByLabelText(label)));
/** Returns the calls that change something. */
const changes = (calls: { method: string; path: string; body: unknown }[]) =>
  calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);

async function openForm(answers: Parameters<typeof openAdministration>[1] = {}, role?: "owner" | "administrator") {
  const calls = await openAdministration("invitations", { [read]: list(), ...answers }, role);
  await press("Invite people");
  return calls;
}

const oneGroup = {
  json: {
    groups: [
      {
        ...{ id: "g", name: "Choir", members: 1, models: null, unknownModels: [], defaultModel: null, quotaMb: null },
        ...{ budget: null, memberBudget: null, isOwnersOnly: false, needsSecondFactor: false, mayShare: true },
        ...{ timeZone: "UTC", createdAt: 1 },
      },
    ],
    choices: [],
  },
};

describe("the list of invitations", () => {
  test.each([
    ["manager", ["a"]],
    ["administrator", ["a", "b"]],
    ["owner", ["a", "b", "c"]],
  ] as const)("a %s can revoke invitations of the roles that it may give", async (role, expected) => {
    const all = list(invitation("a"), invitation("b", { role: "manager" }), invitation("c", { role: "administrator" }));
    await openAdministration("invitations", { [read]: all, "GET /admin/groups": oneGroup }, role);
    const revocable = rows().filter((each) => within(each).queryByRole("button", { name: /^Revoke/ }));
    expect(revocable.map(({ id }) => id)).toEqual(expected);
  });

  test("an invitation is listed with address, role, state, end, inviter, note and people", async () => {
    await openAdministration("invitations", {
      [read]: list(
        invitation("a", { note: "Class 5b", role: "manager", users: [user("eve"), user("bob", false)] }),
        invitation("b", { address: "grace@example.com", uses: 0, usesMax: 1, createdBy: { id: "9" } }),
        invitation("c", { state: "expired", expiresAt: Date.now() - 3 * DAY }),
        invitation("d", { state: "used", uses: 10 }),
        invitation("e", { state: "revoked" }),
      ),
    });
    const [a, b, c, d, e] = rows()
      .filter(({ id }) => id !== "")
      .map(({ textContent }) => textContent);
    expect(a).toMatch(/Anybody with the linkOpen.*Manager · 3 of 10 used · expires in 5 days/);
    expect(a).toMatch(/Invited by ada, 2 days ago.*Class 5b.*eve.*bob · address not confirmed yet/);
    expect(a).toContain("1 more account was deleted.");
    expect(b).toMatch(/grace@example\.comOpen.*Person · expires in 5 days.*Invited by a deleted account, 2 days ago/);
    expect(c).toMatch(/Expired.*3 of 10 used · expired 3 days ago/);
    expect(d).toMatch(/Used up.*10 of 10 used/);
    expect(e).toMatch(/Revoked/);
    const names = screen.getAllByRole("button", { name: /^Revoke/ }).map((button) => button.getAttribute("aria-label"));
    expect(names).toEqual(["Revoke: Anybody with the link", "Revoke: grace@example.com"]);
    const ends = row("a").querySelectorAll("time");
    expect(ends[0]?.getAttribute("data-tooltip")).toMatch(/\d{4}/);
  });

  test("an invitation counts as expired once its time is over", async () => {
    await openAdministration("invitations", { [read]: list(invitation("a", { expiresAt: Date.now() - 1 })) });
    expect(row("a").textContent).toMatch(/Expired.*expired just now/);
  });

  test("an invitation with more than three people folds their names", async () => {
    const users = ["eve", "bob", "mia", "tom"].map((name) => user(name));
    await openAdministration("invitations", { [read]: list(invitation("a", { uses: 4, users })) });
    expect(screen.queryByRole("list", { name: "Registered with this invitation" })).toBeNull();
    await press("4 people registered");
    const people = screen.getByRole("list", { name: "Registered with this invitation" });
    expect(within(people).getAllByRole("listitem")).toHaveLength(4);
    expect(screen.getByRole("button", { name: "4 people registered" }).getAttribute("aria-expanded")).toBe("true");
  });

  test("the list of invitations shows that it is loading", async () => {
    await openAdministration("invitations", { [read]: () => new Promise(() => {}) });
    expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContain("Loading…");
  });

  test("an empty list of invitations shows a message", async () => {
    await openAdministration("invitations", { [read]: list() });
    expect(screen.getByText("Nobody has been invited yet")).toBeTruthy();
  });

  test("the list of invitations can be loaded again after a failure", async () => {
    await openAdministration("invitations", { [read]: [problem(503, "unavailable"), list(invitation("a"))] });
    expect(screen.getByRole("alert").textContent).toContain("The service is not available right now.");
    await press("Try again");
    expect(rows()).toHaveLength(1);
  });

  const page = (from: number, count: number) =>
    list(...Array.from({ length: count }, (_, index) => invitation(`i${from + index}`)));

  test("the list of invitations is read by pages, and the first new line takes the focus", async () => {
    await openAdministration("invitations", {
      [read]: page(0, 50),
      "GET /admin/invitations?before=i49": page(50, 2),
    });
    await press("Show more");
    expect(rows()).toHaveLength(52);
    await waitFor(() => expect(document.activeElement?.id).toBe("i50"));
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  test("the last invitation takes the focus if the list ends with a full page", async () => {
    await openAdministration("invitations", { [read]: page(0, 50), "GET /admin/invitations?before=i49": list() });
    await press("Show more");
    await waitFor(() => expect(document.activeElement?.id).toBe("i49"));
  });

  test("the focus stays at the button if the next page of invitations cannot be read", async () => {
    await openAdministration("invitations", {
      [read]: page(0, 50),
      "GET /admin/invitations?before=i49": problem(503, "unavailable"),
    });
    screen.getByRole("button", { name: "Show more" }).focus();
    await press("Show more");
    expect(screen.getByRole("alert")).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Show more");
  });
});

describe("the form of a new invitation", () => {
  test("an invitation of one address is mailed, and its link is shown once", async () => {
    const made = invitation("new", { address: "grace@example.com", uses: 0, usesMax: 1 });
    const calls = await openForm({
      [read]: [list(), list(made)],
      [create]: { status: 201, json: { invitation: made, link } },
    });
    expect(document.activeElement?.textContent).toBe("Invite people");
    type("Email address", "grace@example.com");
    type("Note (optional)", "For the lab");
    await choose("Valid for", String(30 * DAY));
    await press("Create invitation");
    expect(changes(calls)).toEqual([
      [create, { address: "grace@example.com", role: "person", lifeMs: 30 * DAY, note: "For the lab", mail: true }],
    ]);
    expect(document.activeElement?.textContent).toBe("The invitation is ready");
    const confirmation = "The link is on its way to grace@example.com. You can also pass it on yourself.";
    expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContain(confirmation);
    const shown = field("Link of the invitation");
    expect([shown.value, shown.readOnly]).toEqual([link, true]);
    expect(noteOf("Link of the invitation")).toBe("Copy it now: it is not shown again.");
    expect(rows()[0]?.id).toBe("new");
    await press("Done");
    expect(screen.queryByLabelText("Link of the invitation")).toBeNull();
    expect(document.activeElement?.textContent).toBe("Invite people");
    expect(document.body.textContent).not.toContain("k-9");
  });

  test("a link for several people can be copied", async () => {
    const written = vi.fn(async (_: string) => undefined);
    vi.stubGlobal("navigator", { ...navigator, onLine: true, clipboard: { writeText: written } });
    const made = invitation("new", { uses: 0, usesMax: 25 });
    const calls = await openForm({ [create]: { status: 201, json: { invitation: made, link } } });
    await check(/^Several people/);
    expect(screen.queryByLabelText("Email address")).toBeNull();
    expect(screen.queryByLabelText("Mail the link to this address")).toBeNull();
    type("Number of people", "25");
    await choose("Role", "manager");
    await press("Create invitation");
    expect(changes(calls)).toEqual([[create, { uses: 25, role: "manager", lifeMs: 7 * DAY, note: "" }]]);
    expect(screen.getAllByText("Give this link to the people you invite.")).toHaveLength(2);
    await press("Copy link");
    expect(written).toHaveBeenCalledWith(link);
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
  });

  test("an invitation is not mailed by default if the server has no mail server", async () => {
    const made = invitation("new", { address: "grace@example.com" });
    const answers = { "GET /auth/config": { json: { ...config.json, isMailOnConsole: true } } };
    const calls = await openForm({ ...answers, [create]: { status: 201, json: { invitation: made, link } } });
    expect(screen.getByText(/This server has no mail server/)).toBeTruthy();
    type("Email address", "grace@example.com");
    await press("Create invitation");
    expect(changes(calls)[0]?.[1]).not.toHaveProperty("mail");
    expect(screen.getAllByText("Give this link to grace@example.com.")).toHaveLength(2);
  });

  test("only roles that the account may give are offered for an invitation", async () => {
    const offered = () => [...screen.getByLabelText("Role").querySelectorAll("option")].map(({ value }) => value);
    await openForm({}, "administrator");
    expect(offered()).toEqual(["person", "manager"]);
  });

  test("an owner can invite with every role but its own", async () => {
    await openForm();
    const offered = [...screen.getByLabelText("Role").querySelectorAll("option")].map(({ value }) => value);
    expect(offered).toEqual(["person", "manager", "administrator"]);
  });

  test("mistakes in an invitation are shown at their fields, and nothing is sent", async () => {
    const calls = await openForm();
    await press("Create invitation");
    expect(noteOf("Email address")).toBe("Email address is required");
    expect(document.activeElement).toBe(field("Email address"));
    await check(/^Several people/);
    type("Number of people", "1001");
    await press("Create invitation");
    expect(noteOf("Number of people")).toBe("Number of people is not valid");
    expect(changes(calls)).toEqual([]);
  });

  test("the server's refusals of an invitation are shown, those of a field at the field", async () => {
    const issues = [{ field: "address", rule: "email", message: "x" }];
    await openForm({ [create]: [problem(400, "invalid-input", { issues }), problem(403, "not-permitted")] });
    type("Email address", "grace@example.com");
    await press("Create invitation");
    expect(noteOf("Email address")).toBe("Please enter a valid email address");
    await press("Create invitation");
    expect(screen.getByRole("alert").textContent).toContain("Your account may not do this.");
    expect(field("Email address").value).toBe("grace@example.com");
  });

  test("an invitation needs a proof, and the typed text stays until that is given", async () => {
    const made = invitation("new", { address: "grace@example.com" });
    await openForm({
      [create]: [
        problem(403, "proof-needed"),
        problem(403, "proof-needed"),
        { status: 201, json: { invitation: made, link } },
      ],
    });
    type("Email address", "grace@example.com");
    await press("Create invitation");
    expect(screen.getByRole("dialog")).toBeTruthy();
    await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" }));
    expect(field("Email address").value).toBe("grace@example.com");
    await press("Create invitation");
    await act(async () => answerProof(true));
    expect(field("Link of the invitation").value).toBe(link);
  });

  test("Cancel closes the form of an invitation, and its button takes the focus", async () => {
    await openForm();
    await press("Cancel");
    expect(document.activeElement?.textContent).toBe("Invite people");
  });
});

describe("the revocation of an invitation", () => {
  const revoke = "DELETE /admin/invitations/a";
  const ask = async () => {
    screen.getByRole("button", { name: "Revoke: grace@example.com" }).focus();
    await press("Revoke: grace@example.com");
  };
  const confirm = () =>
    act(async () => {
      fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Revoke" }));
    });

  test("a revocation needs a confirmation; its line stays, is revoked and takes the focus", async () => {
    const calls = await openAdministration("invitations", {
      [read]: list(invitation("a", { address: "grace@example.com", role: "manager" }), invitation("b")),
      [revoke]: done,
    });
    await ask();
    const dialog = screen.getByRole("alertdialog", { name: "Revoke this invitation?" });
    expect(dialog.textContent).toContain("Accounts whose address is not confirmed yet do not get its role.");
    expect(changes(calls)).toEqual([]);
    await confirm();
    expect(changes(calls)).toEqual([[revoke, undefined]]);
    expect(row("a").textContent).toContain("Revoked");
    expect(within(row("a")).queryByRole("button")).toBeNull();
    expect(screen.getByText("The invitation is revoked.").closest("[role=status]")).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.id).toBe("a"));
  });

  test("a refused revocation shows the reason, and the invitation stays open", async () => {
    await openAdministration("invitations", {
      [read]: list(invitation("a", { address: "grace@example.com" })),
      [revoke]: problem(403, "not-permitted"),
    });
    await ask();
    await confirm();
    expect(screen.getByRole("alert").textContent).toContain("Your account may not do this.");
    expect(row("a").textContent).toContain("Open");
  });

  test("a revocation whose proof is declined shows nothing", async () => {
    await openAdministration("invitations", {
      [read]: list(invitation("a", { address: "grace@example.com" })),
      [revoke]: problem(403, "proof-needed"),
    });
    await ask();
    await confirm();
    await screen.findByRole("dialog");
    await press("Cancel");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(row("a").textContent).toContain("Open");
  });

  test("a used invitation can be revoked while somebody may still get its role", async () => {
    const used = { state: "used", uses: 1, usesMax: 1, role: "manager" } as const;
    await openAdministration("invitations", {
      [read]: list(
        invitation("a", { ...used, users: [user("eve", false)] }),
        invitation("b", { ...used, users: [user("bob")] }),
      ),
    });
    expect(within(row("a")).getByRole("button", { name: /^Revoke/ })).toBeTruthy();
    expect(within(row("b")).queryByRole("button")).toBeNull();
  });
});
