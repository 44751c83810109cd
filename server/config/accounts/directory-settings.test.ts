import { describe, expect, it } from "vitest";
import { problemsOf } from "../../../testing/config/problems-of.ts";
import { parseConfig } from "../config.ts";

const ldaps = { LDAP_URL: "ldaps://ldap.example.org" };
const byName = { LDAP_USER_DN: "uid={username},ou=people,dc=example,dc=org" };
const bySearch = { LDAP_SEARCH_BASE: "dc=example,dc=org" };

describe("settings of a directory", () => {
  it("a directory has defaults for all but its address and the location of its entries", () => {
    expect(parseConfig({ ...ldaps, ...bySearch }).config.ldap).toEqual({
      url: ldaps.LDAP_URL,
      name: "ldap.example.org",
      usesStartTls: false,
      entry: { searchBase: "dc=example,dc=org", searchFilter: "(uid={username})" },
      idAttribute: "entryUUID",
      emailAttribute: "mail",
      groups: { attribute: "memberOf" },
      groupRules: [],
      roleRules: [],
      isEmailAuthoritative: false,
      needsSecondFactor: false,
    });
    expect(parseConfig({ ...ldaps, ...byName }).config.ldap?.entry).toEqual({ userDn: byName.LDAP_USER_DN });
  });

  it.each([
    ["ldap://ldap.example.org", {}, false],
    ["ldap://10.0.0.5:389", {}, false],
    ["ldap://127.0.0.1.example.org", {}, false],
    ["ldap://ldap.example.org", { LDAP_STARTTLS: "false" }, false],
    ["ldap://ldap.example.org", { LDAP_STARTTLS: "true" }, true],
    ["ldap://127.0.0.1:1389", {}, true],
    ["ldap://localhost", {}, true],
    ["ldap://[::1]:389", {}, true],
    ["ldaps://ldap.example.org", {}, true],
    ["ldaps://ldap.example.org", { LDAP_STARTTLS: "true" }, false],
  ])("the address %s with %j is accepted: %s", (LDAP_URL, env, isAccepted) => {
    expect(problemsOf({ LDAP_URL, ...byName, ...env })).toHaveLength(isAccepted ? 0 : 1);
  });

  it.each([
    { LDAP_URL: "https://ldap.example.org", ...byName },
    { LDAP_URL: "ldaps://user:password@ldap.example.org", ...byName },
    { LDAP_URL: "ldaps://ldap.example.org/dc=example", ...byName },
    { LDAP_URL: "ldaps://", ...byName },
    ldaps,
    { ...ldaps, ...byName, ...bySearch },
    { ...ldaps, LDAP_USER_DN: "{username}" },
    { ...ldaps, LDAP_USER_DN: "ou=people,uid={username}" },
    { ...ldaps, ...bySearch, LDAP_SEARCH_FILTER: "(uid=*)" },
    { ...ldaps, ...bySearch, LDAP_SEARCH_FILTER: "uid={username}" },
    { ...ldaps, ...bySearch, LDAP_BIND_DN: "cn=parley" },
    { ...ldaps, ...bySearch, LDAP_BIND_PASSWORD: "secret" },
    { ...ldaps, ...byName, LDAP_GROUP_FILTER: "(member={dn})" },
    { ...ldaps, ...byName, LDAP_GROUP_BASE: "ou=groups", LDAP_GROUP_FILTER: "(member=*)" },
    { ...ldaps, ...byName, LDAP_ID_ATTRIBUTE: "a b" },
    { ...ldaps, ...byName, LDAP_GROUPS: "staff" },
    { ...ldaps, ...byName, LDAP_ROLES: "staff -> owner" },
    { LDAP_NAME: "School" },
    bySearch,
  ])("refuses the settings %j of a directory", (env) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^LDAP_/)]);
  });
});

describe("settings of a trusted header", () => {
  const header = { TRUSTED_HEADER: "X-Remote-User", TRUST_PROXY: "10.0.0.1" };

  it("a trusted header has its own name unless it gets another", () => {
    expect(parseConfig(header).config.trustedHeader).toEqual({
      name: "X-Remote-User",
      header: "x-remote-user",
      groupRules: [],
      roleRules: [],
      isEmailAuthoritative: false,
    });
  });

  it.each([{}, { TRUST_PROXY: "true" }, { TRUST_PROXY: "false" }])(
    "refuses a trusted header without the addresses of its proxies: %j",
    (env) => {
      const problems = problemsOf({ TRUSTED_HEADER: "X-Remote-User", ...env });
      expect(problems).toEqual([expect.stringMatching(/^TRUST_PROXY must be the addresses of the proxies/)]);
    },
  );

  it.each(["Cookie", "authorization", "X-Forwarded-For", "Sec-Fetch-Site", "two words", "X-User:", "host"])(
    "refuses %s as a trusted header",
    (TRUSTED_HEADER) => {
      expect(problemsOf({ ...header, TRUSTED_HEADER })).toEqual([expect.stringMatching(/^TRUSTED_HEADER must be/)]);
    },
  );

  it("refuses further headers without the one that names the person", () => {
    expect(problemsOf({ TRUSTED_HEADER_EMAIL: "X-Remote-Email", TRUST_PROXY: "10.0.0.1" })).toEqual([
      "TRUSTED_HEADER is required with TRUSTED_HEADER_EMAIL",
    ]);
    expect(problemsOf({ ...header, TRUSTED_HEADER_GROUP_RULES: "a -> B" })).toHaveLength(1);
  });
});
