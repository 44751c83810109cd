import { describe, expect, it } from "vitest";
import { type AccountRole, accountRoles } from "#contract/roles.ts";
import { type AdministrativeAct, mayAdminister } from "./may-administer.ts";

const acts: Record<string, AdministrativeAct> = {
  leave: "leave",
  offer: "offer-ownership",
  other: "other",
  "to person": { role: "person" },
  "to manager": { role: "manager" },
  "to administrator": { role: "administrator" },
  "to owner": { role: "owner" },
};
const everything = "leave, offer, other, to person, to manager, to administrator";
const lower = "leave, other, to person, to manager";

/** Permitted acts of a role on another account of each role; a pair that is not listed permits nothing. */
const onOthers: Partial<Record<AccountRole, Partial<Record<AccountRole, string>>>> = {
  administrator: { person: lower, manager: lower },
  owner: { person: everything, manager: everything, administrator: everything, owner: everything },
};
const onThemselves: Partial<Record<AccountRole, string>> = { owner: "other" };

const permitted = (actor: AccountRole, subject: AccountRole, subjectId: string) =>
  Object.entries(acts)
    .filter(([, act]) => mayAdminister({ id: "a", role: actor }, { id: subjectId, role: subject }, act))
    .map(([name]) => name)
    .join(", ");

describe.each(accountRoles)("P1 a %s", (actor) => {
  it.each(accountRoles)("acts on a %s as its role permits", (subject) => {
    expect(permitted(actor, subject, "b")).toBe(onOthers[actor]?.[subject] ?? "");
  });

  it("neither disables, deletes nor demotes itself", () => {
    expect(permitted(actor, actor, "a")).toBe(onThemselves[actor] ?? "");
  });
});
