import { describe, expect, it } from "vitest";
import { type AccountRole, accountRoles } from "#contract/accounts/roles.ts";
import { type AdministrativeAct, mayAdminister } from "./may-administer.ts";

const acts: Record<string, AdministrativeAct> = {
  assist: "assist",
  disable: "disable",
  leave: "leave",
  offer: "offer-ownership",
  other: "other",
  "to person": { role: "person" },
  "to manager": { role: "manager" },
  "to administrator": { role: "administrator" },
  "to owner": { role: "owner" },
};
const everything = "assist, disable, leave, offer, other, to person, to manager, to administrator";
const lower = "assist, disable, leave, other, to person, to manager";

/** Permitted acts of a role on another account of each role; a pair that is not listed permits nothing. */
const onOthers: Partial<Record<AccountRole, Partial<Record<AccountRole, string>>>> = {
  administrator: { person: lower, manager: lower },
  owner: { person: everything, manager: everything, administrator: everything, owner: everything },
};
const onThemselves: Partial<Record<AccountRole, string>> = { owner: "assist, other" };

/** Groups of the actor and the subject. */
type Groups = readonly [string | null, string | null];

const permitted = (actor: AccountRole, subject: AccountRole, subjectId: string, [own, other]: Groups = [null, null]) =>
  Object.entries(acts)
    .filter(([, act]) =>
      mayAdminister({ id: "a", role: actor, groupId: own }, { id: subjectId, role: subject, groupId: other }, act),
    )
    .map(([name]) => name)
    .join(", ");

describe.each(accountRoles)("P1 rights of a %s", (actor) => {
  it.each(accountRoles)("a role acts on a %s as its rights permit", (subject) => {
    expect(permitted(actor, subject, "b")).toBe(onOthers[actor]?.[subject] ?? "");
  });

  it("no role permits an account to disable, delete or demote itself", () => {
    expect(permitted(actor, actor, "a")).toBe(onThemselves[actor] ?? "");
  });
});

it.each(accountRoles)("P1 a manager assists and disables in the own group only persons: %s", (subject) => {
  expect(permitted("manager", subject, "b", ["x", "x"])).toBe(subject === "person" ? "assist, disable" : "");
  for (const groups of [
    ["x", "y"],
    ["x", null],
    [null, "x"],
    [null, null],
  ] as const) {
    expect(permitted("manager", subject, "b", groups)).toBe("");
  }
});
