import { act, fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import {
  type AdministeredProvider,
  type IdentityProviderCheck,
  providerCheckFailures,
  providerFaults,
} from "#contract/administration/identity-providers.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { done, eachTestAlone, field, noteOf, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const LIST = "/admin/identity-providers";
const CHECK = "POST /admin/identity-provider-check";
const publicUrl = "https://chat.example.org";

const school: AdministeredProvider = {
  slug: "the-school",
  name: "The School",
  kind: "oidc",
  issuer: "https://login.example.org/realms/school",
  isFixed: false,
  isEnabled: true,
  identities: 0,
  isEmailAuthoritative: false,
  needsSecondFactor: false,
  client: {
    id: "parley",
    secretEnd: "6789",
    isUnreadable: false,
    scopes: "openid email profile",
    groupsClaim: "groups",
    redirectAddress: `${publicUrl}/sso/the-school`,
    logoutAddress: `${publicUrl}/api/auth/sso/logout/the-school`,
  },
  groupRules: [],
  roleRules: [],
};
const fixed: AdministeredProvider = { ...school, slug: "oidc", name: "Work", isFixed: true, identities: 3 };
const { client: _, ...directory } = { ...fixed, slug: "ldap", name: "Directory", kind: "ldap", issuer: "ldap" };
const works: IdentityProviderCheck = {
  ok: true,
  issuer: school.issuer,
  authorizationHost: "login.example.org",
  tokenHost: "login.example.org",
  pkce: "stated",
  hasBackChannelLogout: true,
  hasEndSession: false,
  missingScopes: [],
};

const groups = { json: { groups: [groupOf("teachers", "Teachers"), groupOf("pupils", "Pupils")], choices: [] } };
function groupOf(id: string, name: string) {
  const limits = {
    models: null,
    unknownModels: [],
    defaultModel: null,
    quotaMb: null,
    budget: null,
    memberBudget: null,
    timeZone: "UTC",
  };
  return {
    id,
    name,
    ...limits,
    createdAt: 1,
    members: 0,
    isOwnersOnly: false,
    needsSecondFactor: false,
    mayShare: true,
  };
}

async function open(
  providers: readonly AdministeredProvider[],
  answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {},
) {
  const calls = await openAdministration("identity-providers", {
    [`GET ${LIST}`]: { json: { publicUrl, providers } },
    "GET /admin/groups": groups,
    ...answers,
  });
  return () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
}

const choose = (label: string | RegExp, value: string) =>
  act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));
const card = (name: string) => screen.getByRole("listitem", { name });
async function chooseInMenu(name: string, item: string): Promise<void> {
  await act(
    async () => void fireEvent.keyDown(screen.getByRole("button", { name: `More: ${name}` }), { key: "Enter" }),
  );
  await act(async () => void fireEvent.click(await screen.findByRole("menuitem", { name: item })));
}

describe("a new identity provider", () => {
  test("the form shows the addresses that its name gives, adds the provider, and shows them again", async () => {
    const sent = await open([fixed], { [`POST ${LIST}`]: { status: 201, json: school } });
    await press("Add a provider");
    type("Name", "The School");
    expect(field("Redirect address").value).toBe(`${publicUrl}/sso/the-school`);
    type("Issuer", ` ${school.issuer} `);
    type("Client ID", "parley");
    type("Client secret", "secret-0123456789");
    await press("Add");
    expect(sent()).toEqual([
      [
        `POST ${LIST}`,
        {
          name: "The School",
          issuer: school.issuer,
          clientId: "parley",
          clientSecret: "secret-0123456789",
          scopes: "openid email profile",
          groupsClaim: "groups",
          isEmailAuthoritative: false,
          needsSecondFactor: false,
          groupRules: [],
          roleRules: [],
        },
      ],
    ]);
    expect(screen.getByText("The School is on the sign-in page now.")).toBeTruthy();
    expect(within(card("The School")).getByLabelText("Back-channel logout address")).toHaveProperty(
      "value",
      school.client?.logoutAddress,
    );
    expect(screen.queryByRole("button", { name: "Add" })).toBeNull();
  });

  test("the form names missing fields, an issuer that is no address, and one that is taken", async () => {
    const issues = [{ field: "issuer", rule: "taken", message: "Issuer is already taken" }];
    await open([], { [`POST ${LIST}`]: problem(400, "invalid-input", { issues }) });
    await press("Add a provider");
    type("Issuer", "login.example.org");
    await press("Add");
    expect(noteOf("Name")).toBe("Name is required");
    expect(noteOf("Issuer")).toBe("Issuer is not valid");
    expect(noteOf("Client ID")).toBe("Client ID is required");
    type("Name", "The School");
    type("Issuer", school.issuer);
    type("Client ID", "parley");
    await press("Add");
    expect(noteOf("Issuer")).toBe("Issuer is already taken");
  });

  test("a product shows the form of its issuer, and an address without https is warned of", async () => {
    await open([]);
    await press("Add a provider");
    await choose("Product", "keycloak");
    expect(field("Issuer").placeholder).toBe("https://HOST/realms/REALM");
    expect(noteOf("Issuer")).toBe("It has this form: https://HOST/realms/REALM");
    type("Issuer", "http://keycloak:8080/realms/school");
    expect(noteOf("Issuer")).toMatch(/^Without https/);
  });

  test("a test before saving adopts the issuer that the provider states", async () => {
    const other = { ok: false, code: "other-issuer", issuer: `${school.issuer}/`, host: "login.example.org" };
    const sent = await open([], { [CHECK]: [{ json: other }, { json: works }] });
    await press("Add a provider");
    type("Issuer", school.issuer);
    await press("Test");
    expect(screen.getByText(/^The provider calls itself/)).toBeTruthy();
    await press("Use this issuer");
    expect(field("Issuer").value).toBe(`${school.issuer}/`);
    await press("Test");
    expect(sent()[1]).toEqual([CHECK, { issuer: `${school.issuer}/` }]);
  });

  test("rules are sent in their order, without empty ones, and an incomplete one is refused", async () => {
    const sent = await open([], { [`POST ${LIST}`]: { status: 201, json: school } });
    await press("Add a provider");
    type("Name", "The School");
    type("Issuer", school.issuer);
    type("Client ID", "parley");
    await press("Rules");
    const groupRules = screen.getByRole("region", { name: "Groups" });
    const addGroupRule = () => act(async () => within(groupRules).getByRole("button", { name: "Add a rule" }).click());
    const enter = async (index: number, value: string, group: string) => {
      const item = within(groupRules).getAllByRole("listitem")[index];
      if (!item) throw new Error("There is no such rule");
      fireEvent.change(within(item).getByLabelText("Value of the claim"), { target: { value } });
      await act(async () => void fireEvent.change(within(item).getByLabelText("Group"), { target: { value: group } }));
    };
    for (let count = 0; count < 3; count++) await addGroupRule();
    await enter(0, "*", "pupils");
    await enter(1, "staff", "");
    await press("Add");
    expect(screen.getByText(/^Each rule needs a value and a choice/)).toBeTruthy();
    await enter(1, "staff", "teachers");
    await press("Move up: staff");
    await press("Add");
    expect(sent()).toMatchObject([
      [
        `POST ${LIST}`,
        {
          groupRules: [
            { value: "staff", groupId: "teachers" },
            { value: "*", groupId: "pupils" },
          ],
        },
      ],
    ]);
  });
});

describe("stored identity providers", () => {
  test("a change sends the differences only, and the secret only if it is replaced", async () => {
    const sent = await open([school], { [`PATCH ${LIST}/the-school`]: { json: { ...school, name: "Our School" } } });
    await press("Edit The School");
    expect(screen.getByText("••••6789")).toBeTruthy();
    expect(field("Issuer").readOnly).toBe(true);
    type("Name", "Our School");
    await press("Save");
    expect(sent()).toEqual([[`PATCH ${LIST}/the-school`, { name: "Our School" }]]);
    expect(screen.getByText("Our School is saved.")).toBeTruthy();
    await press("Edit Our School");
    await press("Replace the secret");
    await press("Save");
    expect(noteOf("Client secret")).toBe("Client secret is required");
    type("Client secret", " new-secret ");
    await press("Save");
    expect(sent()[1]).toEqual([`PATCH ${LIST}/the-school`, { clientSecret: "new-secret" }]);
  });

  test("the removal asks first, and says how many accounts are connected", async () => {
    const sent = await open([{ ...school, identities: 2 }], { [`DELETE ${LIST}/the-school`]: done });
    await chooseInMenu("The School", "Remove");
    const dialog = await screen.findByRole("alertdialog", { name: "Remove The School?" });
    expect(dialog.textContent).toContain("2 accounts are connected with it.");
    await act(async () => within(dialog).getByRole("button", { name: "Remove" }).click());
    expect(sent()).toEqual([[`DELETE ${LIST}/the-school`, undefined]]);
    expect(screen.getByText("The School is removed.")).toBeTruthy();
    expect(screen.getByText("No sign-in provider yet")).toBeTruthy();
  });

  test("a provider is switched off and moved by its menu", async () => {
    const second = { ...school, slug: "second", name: "Second" };
    const sent = await open([fixed, school, second], {
      [`PATCH ${LIST}/second`]: { json: { ...second, isEnabled: false } },
      "PUT /admin/identity-provider-order": done,
    });
    await chooseInMenu("Second", "Switch off");
    expect(within(card("Second")).getByText("Off")).toBeTruthy();
    await chooseInMenu("Second", "Move up");
    expect(sent()).toEqual([
      [`PATCH ${LIST}/second`, { isEnabled: false }],
      ["PUT /admin/identity-provider-order", { slugs: ["second", "the-school"] }],
    ]);
    expect(screen.getByText("Second is now 1 of 2.")).toBeTruthy();
  });

  test("providers of the environment can be tested, but not changed, and an unreadable secret is named", async () => {
    const client = { ...school.client, secretEnd: "", isUnreadable: true } as AdministeredProvider["client"];
    const sent = await open([fixed, directory, { ...school, client }], { [CHECK]: { json: works } });
    for (const name of ["Work", "Directory"]) {
      expect(within(card(name)).getByText(/^The server’s environment sets/)).toBeTruthy();
      expect(within(card(name)).getByText("3 accounts are connected")).toBeTruthy();
      expect(within(card(name)).queryByRole("button", { name: `Edit ${name}` })).toBeNull();
    }
    expect(within(card("Directory")).queryAllByRole("button")).toEqual([]);
    expect(within(card("The School")).getByText(/cannot open its client secret/)).toBeTruthy();
    await press("Test Work");
    expect(sent()).toEqual([[CHECK, { slug: "oidc" }]]);
    expect(within(card("Work")).getByText("It supports PKCE with S256.")).toBeTruthy();
  });

  test("every failure of a test has a sentence of its own", async () => {
    const failures = [
      ...providerCheckFailures.map((code) => ({ code })),
      ...providerFaults.map((reason) => ({ code: "unreachable", reason })),
    ];
    const answers = failures.map((failure) => ({
      json: { ok: false, host: "login.example.org", status: 503, issuer: "https://other.example.org", ...failure },
    }));
    await open([school], { [CHECK]: answers });
    const sentences = new Set<string | null>();
    for (const _ of failures) {
      await press("Test The School");
      sentences.add(within(card("The School")).getByRole("alert").textContent);
    }
    expect(sentences.size).toBe(failures.length);
  });
});
