import { describe, expect, it } from "vitest";
import { readGroups, readPerson } from "./read-claims.ts";

/** Claims as each provider states them, in its documentation. */
const claimsOf = {
  // Microsoft Entra: no `email_verified`, groups as ids, and `_claim_names` instead of more than 200 of them.
  entra: {
    sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    oid: "00000000-0000-0000-66f3-3332eca7ea81",
    tid: "9122040d-6c67-4c5b-b112-36a304b66dad",
    preferred_username: "abeli@example.org",
    email: "abeli@example.org",
    name: "Abe Lincoln",
    groups: ["0e129f5b-6b0a-4944-982d-f776045632af"],
  },
  entraWithManyGroups: {
    sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    email: "abeli@example.org",
    name: "Abe Lincoln",
    _claim_names: { groups: "src1" },
    _claim_sources: { src1: { endpoint: "https://graph.example.org/users/1/getMemberObjects" } },
  },
  // Google Workspace: the organisation in `hd`, no groups.
  google: {
    sub: "110169484474386276334",
    hd: "example.org",
    email: "jsmith@example.org",
    email_verified: true,
    name: "John Smith",
    given_name: "John",
    family_name: "Smith",
  },
  // Keycloak: roles within `realm_access`; groups only with a mapper, as paths.
  keycloak: {
    sub: "f7c9e5d1-7b52-4e05-a3c7-1d3f6b6c1c59",
    email_verified: false,
    realm_access: { roles: ["offline_access", "teachers"] },
    groups: ["/school/teachers"],
    preferred_username: "mmustermann",
    given_name: "Max",
    family_name: "Mustermann",
    email: "max@example.org",
  },
  // Authentik: the whole name in `given_name`, and no family name.
  authentik: {
    sub: "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
    email: "jens@example.org",
    email_verified: true,
    name: "Jens Langhammer",
    given_name: "Jens Langhammer",
    preferred_username: "jens",
    nickname: "jens",
    groups: ["authentik Admins", "teachers"],
  },
  // Zitadel: roles are the keys of an object, whose claim has a colon in its name.
  zitadel: {
    sub: "165617850692654601",
    email: "minnie@example.org",
    email_verified: true,
    name: "Minnie Mouse",
    given_name: "Minnie",
    family_name: "Mouse",
    "urn:zitadel:iam:org:project:roles": { teachers: { "165617850692654601": "zitadel.example.org" } },
  },
};

describe("claims of known providers", () => {
  it("an address counts as verified only where the provider says so", () => {
    const verified = Object.entries(claimsOf).filter(([, claims]) => readPerson(claims).isEmailVerified);
    expect(verified.map(([name]) => name)).toEqual(["google", "authentik", "zitadel"]);
    expect(readPerson({ sub: "1", email: "a@example.org", email_verified: "true" }).isEmailVerified).toBe(true);
    expect(readPerson({ sub: "1", email_verified: true }).isEmailVerified).toBe(false);
  });

  it("names are read from each, and a missing family name stays missing", () => {
    expect(readPerson(claimsOf.entra)).toMatchObject({ name: "Abe Lincoln", givenName: "", familyName: "" });
    expect(readPerson(claimsOf.authentik)).toMatchObject({ name: "Jens Langhammer", familyName: "" });
    expect(readPerson(claimsOf.keycloak)).toMatchObject({ givenName: "Max", familyName: "Mustermann" });
    expect(readPerson({ sub: "1", preferred_username: "ada@example.org" }).name).toBe("ada");
  });

  it.each<[keyof typeof claimsOf, string, string[] | undefined]>([
    ["entra", "groups", ["0e129f5b-6b0a-4944-982d-f776045632af"]],
    ["entraWithManyGroups", "groups", undefined],
    ["google", "groups", undefined],
    ["keycloak", "realm_access.roles", ["offline_access", "teachers"]],
    ["keycloak", "groups", ["/school/teachers"]],
    ["authentik", "groups", ["authentik Admins", "teachers"]],
    ["zitadel", "urn:zitadel:iam:org:project:roles", ["teachers"]],
  ])("the groups of %s in %s are %j", (name, path, groups) => {
    expect(readGroups(claimsOf[name], path)).toEqual(groups);
  });

  it("values that are no names are left out, and inherited members are no claims", () => {
    expect(readGroups({ groups: ["a", 1, null, ["b"], "", { c: 1 }] }, "groups")).toEqual(["a"]);
    expect(readGroups({ scope: "a b  c" }, "scope")).toEqual(["a", "b", "c"]);
    expect(readGroups({}, "constructor.name")).toBeUndefined();
    expect(readGroups({ groups: 7 }, "groups")).toBeUndefined();
  });
});
