import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { AUDIT_PAGE, type AuditEntry } from "#contract/administration/administration.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration, shownAddress } from "../../testing/open-administration.tsx";
import { eachTestAlone, press, type } from "../../testing/open-settings.tsx";
import { currentNotifications } from "../../ui/notifications/notify.ts";
import { saveFile } from "../../ui/save-file.ts";

vi.mock("../../ui/save-file.ts", () => ({ saveFile: vi.fn() }));

eachTestAlone();

const entry = (seq: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  seq,
  at: 1,
  kind: "account-disabled",
  actor: { id: "ada", username: "ada" },
  subject: { id: "eve", username: "eve" },
  ...more,
});
const eve = {
  ...{ id: "eve", username: "eve", firstname: "Eve", lastname: "Ball", email: "eve@example.org", role: "person" },
  ...{
    state: "active",
    createdAt: 1,
    storedBytes: 0,
    hasGoogle: false,
    hasPassword: true,
    hasSecondFactor: false,
    lastSignIns: {},
    needsSecondFactor: false,
    sessions: [],
    files: 0,
    shares: 0,
    budgets: {},
  },
  usage: { month: "2026-01", replies: 0, inputTokens: 0, outputTokens: 0 },
};
const lines = () => screen.getAllByRole("listitem").filter(({ id }) => id.startsWith("record-"));

test("an audit record names the change, the account, the actor and the values", async () => {
  const role = { kind: "role-changed", before: { role: "person" }, after: { role: "administrator" } };
  const quota = { kind: "quota-changed", actor: null, before: { quotaMb: 5 }, after: { quotaMb: null } };
  const entries = [
    entry(4, role),
    entry(3, quota),
    entry(2, { subject: { id: "x" }, actor: { id: "y" } }),
    entry(1, { kind: "flown-to-the-moon" }),
    entry(0, { kind: "provider-tested", subject: null, after: { provider: "openai", ok: true } }),
    entry(-1, { kind: "provider-tested", subject: null, after: { provider: "local", ok: false, code: "x" } }),
    entry(-2, { kind: "ownership-offered", after: { staysOwner: false, expiresAt: 1 } }),
    entry(-3, { kind: "invitation-created", subject: { id: "i" }, after: { role: "person" } }),
  ];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries } } });
  const texts = lines().map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/Role changed · eveRole: Person → Administratorby ada/);
  expect(texts[1]).toMatch(/Quota changed.*Quota in MB: 5 → noneby Command line or server/);
  expect(texts[2]).toMatch(/Account disabled · Deleted accountby Deleted account/);
  expect(texts[3]).toMatch(/Other action/);
  expect(texts[4]).toMatch(/^Provider testedOpenAI: answeredby ada/);
  expect(texts[5]).toMatch(/^Provider testedLocal server: failedby ada/);
  expect(texts[6]).toMatch(/^Ownership offered · eveThe offering owner becomes an administrator\.by ada/);
  expect(texts[7]).toMatch(/^Invitation createdRole: none → Personby ada/);
  expect(screen.getAllByRole("link", { name: "eve" })[0]?.getAttribute("href")).toBe("/administration/people/eve");
});

test("a record of a connection names it, its former name and the changed models", async () => {
  const named = (name: string) => ({ connection: "AT-HOME", name });
  const record = (seq: number, kind: string, values: Partial<AuditEntry>) =>
    entry(seq, { kind, subject: null, ...values });
  const entries = [
    record(4, "connection-created", { after: named("At home") }),
    record(3, "connection-changed", { before: named("At home"), after: named("Office") }),
    record(2, "connection-deleted", { before: named("Office") }),
    record(1, "models-changed", { after: { connection: "AT-HOME", count: 1, models: ["qwen3:8b"] } }),
    record(0, "setting-changed", {
      before: { automaticModels: null },
      after: { automaticModels: ["AT-HOME:qwen3:8b"] },
    }),
  ];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries } } });
  expect(lines().map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Connection addedAt homeby ada/),
    expect.stringMatching(/^Connection changedName: At home → Officeby ada/),
    expect.stringMatching(/^Connection deletedOfficeby ada/),
    expect.stringMatching(/^Models changedAT-HOMEqwen3:8bby ada/),
    expect.stringMatching(/^Setting changedAutomatic choice: default → AT-HOME:qwen3:8bby ada/),
  ]);
});

test("a record of an MCP server names it and its origin, the former name, or the result of a test", async () => {
  const record = (seq: number, act: string, values: Partial<AuditEntry>) =>
    entry(seq, { kind: `mcp-server-${act}`, subject: null, ...values });
  const wiki = { server: "wiki", name: "Wiki", origin: "https://wiki.test" };
  const entries = [
    record(4, "added", { after: wiki }),
    record(3, "changed", { before: wiki, after: { ...wiki, hasNewHeaders: true } }),
    record(2, "changed", { before: wiki, after: { ...wiki, name: "Our Wiki" } }),
    record(1, "tested", { after: { name: "", origin: "https://new.test", ok: false, code: "not-mcp" } }),
    record(0, "removed", { before: wiki }),
  ];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries } } });
  expect(lines().map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^MCP server addedWiki, https:\/\/wiki\.testby ada/),
    expect.stringMatching(/^MCP server changedWiki, https:\/\/wiki\.testby ada/),
    expect.stringMatching(/^MCP server changedName: Wiki → Our Wikiby ada/),
    expect.stringMatching(/^MCP server testedhttps:\/\/new\.test: failedby ada/),
    expect.stringMatching(/^MCP server removedWiki, https:\/\/wiki\.testby ada/),
  ]);
});

test("a record of the search engine names it, the former one and its address", async () => {
  const record = (seq: number, kind: string, values: Partial<AuditEntry>) =>
    entry(seq, { kind, subject: null, ...values });
  const searxng = (host: string) => ({ engine: "searxng", baseUrl: `http://${host}`, hasKey: false });
  const brave = { engine: "brave", baseUrl: null, hasKey: true };
  const changed = "search-engine-changed";
  const entries = [
    record(5, changed, { before: { engine: null }, after: { ...searxng("a.test"), hasNewKey: false } }),
    record(4, changed, { before: searxng("a.test"), after: { ...searxng("b.test"), hasNewKey: false } }),
    record(3, changed, { before: searxng("b.test"), after: { ...brave, hasNewKey: true } }),
    record(2, changed, { before: brave, after: { ...brave, hasNewKey: true } }),
    record(1, changed, { before: brave, after: { engine: null } }),
    record(0, "search-engine-tested", { after: { engine: "tavily", ok: false, code: "key" } }),
  ];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries } } });
  expect(lines().map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Search engine changedSearch engine: none → SearXNGby ada/),
    expect.stringMatching(/^Search engine changedSearXNG, http:\/\/b\.testby ada/),
    expect.stringMatching(/^Search engine changedSearch engine: SearXNG → Brave Searchby ada/),
    expect.stringMatching(/^Search engine changedBrave Searchby ada/),
    expect.stringMatching(/^Search engine changedSearch engine: Brave Search → noneby ada/),
    expect.stringMatching(/^Search engine testedTavily: failedby ada/),
  ]);
});

test("records of one act are one line with the number of people, who are named on request", async () => {
  const moved = (seq: number, id: string, more: Partial<AuditEntry> = {}) =>
    entry(seq, {
      kind: "group-assigned",
      subject: { id, username: id },
      ...{ before: { group: null }, after: { group: "g" } },
      ...more,
    });
  const entries = [
    ...[moved(9, "a"), moved(8, "b"), moved(7, "c")],
    ...[moved(6, "a"), moved(5, "d", { actor: null }), moved(4, "e", { actor: null, after: { group: null } })],
  ];
  const groups = [{ id: "g", name: "Choir" }];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries, groups } } });
  expect(lines()).toHaveLength(4);
  const [first] = lines();
  expect(first?.textContent).toMatch(/Moved to another group · 3 peopleGroup: none → Choirby ada/);
  const people = within(first as HTMLElement).getAllByRole("link", { hidden: true });
  expect(people.map(({ textContent }) => textContent)).toEqual(["a", "b", "c"]);
});

test("audit records name the address or the number of people of an invitation, and the text of a notice", async () => {
  const entries = [
    entry(4, { kind: "invitation-created", subject: { id: "one" } }),
    entry(3, { kind: "invitation-revoked", subject: { id: "ten" } }),
    entry(2, { kind: "notice-changed", subject: null, after: { isShown: true, text: "Back at nine." } }),
    entry(1, { kind: "notice-changed", subject: null, after: { isShown: false, text: null } }),
  ];
  const invitations = [
    { id: "one", address: "eve@example.org", usesMax: 1 },
    { id: "ten", usesMax: 10 },
  ];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries, invitations } } });
  const texts = lines().map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/^Invitation created · eve@example\.org/);
  expect(texts[1]).toMatch(/^Invitation revoked · 10 people/);
  expect(texts[2]).toMatch(/^Notice changedBack at nine\.by/);
  expect(texts[3]).toMatch(/^Notice changedRemovedby/);
});

test("an audit record names groups by their current names, and missing ones as deleted", async () => {
  const entries = [
    entry(3, { kind: "group-assigned", before: { group: null }, after: { group: "g" } }),
    entry(2, {
      kind: "group-changed",
      subject: { id: "g" },
      before: { models: null, needsSecondFactor: "off" },
      after: { models: "a", needsSecondFactor: "on", isRenamed: true },
    }),
    entry(1, { kind: "group-deleted", subject: { id: "x" }, before: { members: 3 } }),
  ];
  const groups = [{ id: "g", name: "Choir" }];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries, groups } } });
  const texts = lines().map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/Moved to another group · eveGroup: none → Choir/);
  expect(texts[1]).toMatch(/Group changed · ChoirRenamedModels: all → aSecond factor required: off → on/);
  expect(texts[2]).toMatch(/Group deleted · Deleted group/);
});

test("audit records are searched, read by pages, and saved as CSV", async () => {
  const page = Array.from({ length: AUDIT_PAGE }, (_, index) => entry(100 - index));
  await openAdministration("audit", {
    "GET /admin/audit": { json: { entries: page } },
    "GET /admin/audit?before=51": { json: { entries: [entry(50)] } },
    "GET /admin/audit?q=eve": { json: { entries: [entry(7)], isPartial: true } },
    "GET /admin/audit/csv?q=eve": { text: "seq" },
  });
  await press("Show more");
  expect(lines()).toHaveLength(AUDIT_PAGE + 1);
  await waitFor(() => expect(document.activeElement?.id).toBe("record-50"));
  type("Search by person", "eve");
  await waitFor(() => expect(lines()).toHaveLength(1));
  expect(screen.getByText(/Too many people match/)).toBeTruthy();
  await press("Save as CSV");
  expect(saveFile).toHaveBeenCalledWith(expect.any(Blob), "records.csv");
});

test("audit records of one account are those of the address, until all are requested", async () => {
  await openAdministration("audit?account=eve", {
    "GET /admin/audit?account=eve": { json: { entries: [entry(1)] } },
    "GET /admin/audit": { json: { entries: [entry(2), entry(1)] } },
  });
  expect(lines()).toHaveLength(1);
  await press("Show all");
  await waitFor(() => expect(lines()).toHaveLength(2));
  expect(shownAddress()).toBe("/administration/audit");
});

test("an empty list of audit records and a failure show a message", async () => {
  await openAdministration("audit", {
    "GET /admin/audit": [problem(503, "unavailable"), { json: { entries: [] } }],
  });
  expect((await screen.findByRole("alert")).textContent).toContain("not available right now");
  await press("Try again");
  expect(await screen.findByText("No records")).toBeTruthy();
});

const settings = {
  productName: { value: "Salon", source: "database", default: "Parley", changedAt: 1 },
  registration: { value: "open", source: "default", default: "open" },
  registrationDomains: { value: [], source: "default", default: [] },
  trustedNetworks: { value: [], source: "default", default: [] },
  dailyReplies: { value: 500, source: "default", default: 500 },
  toolCallsPerMinute: { value: 60, source: "default", default: 60 },
  toolCallsPerDay: { value: 1000, source: "default", default: 1000 },
  releaseCheck: { value: "off", source: "default", default: "off" },
  ownToolServers: { value: "off", source: "default", default: "off" },
  shareLinks: { value: "anyone", source: "default", default: "anyone" },
  shareDaysMax: { value: 0, source: "default", default: 0 },
  systemPrompt: { value: "", source: "default", default: "" },
};
const named = entry(3, {
  kind: "setting-changed",
  subject: null,
  before: { productName: null },
  after: { productName: "Salon" },
});

test("a changed setting is undone by its audit record", async () => {
  const calls = await openAdministration("audit", {
    "GET /admin/audit": { json: { entries: [named] } },
    "GET /admin/settings": { json: settings },
    "PATCH /admin/settings": { json: settings },
  });
  expect(lines()[0]?.textContent).toContain("Name: default → Salon");
  await press("Undo");
  expect(calls.find(({ method }) => method === "PATCH")?.body).toEqual({ productName: null });
  expect(currentNotifications().at(-1)?.text).toBe("The change is undone.");
});

test.each([
  ["budget-changed", { budgetUsd: null }, { budgetUsd: 5 }, { budgetUsd: 5 }, { budgetUsd: null }],
  ["group-assigned", { group: null }, { group: "g" }, { group: { id: "g", name: "Choir" } }, { groupId: null }],
  [
    "second-factor-requirement-changed",
    { needsSecondFactor: "off" },
    { needsSecondFactor: "on" },
    { needsSecondFactor: true },
    { needsSecondFactor: false },
  ],
])("a %s is undone by its audit record", async (kind, before, after, now, body) => {
  const calls = await openAdministration("audit", {
    "GET /admin/audit": { json: { entries: [entry(3, { kind, before, after })] } },
    "GET /admin/accounts/eve": { json: { ...eve, ...now } },
    "PATCH /admin/accounts/eve": { json: eve },
  });
  await press("Undo");
  expect(calls.find(({ method }) => method === "PATCH")?.body).toEqual(body);
});

test("a move out of a group that was deleted since is not undone, and the page says why", async () => {
  const moved = entry(3, { kind: "group-assigned", before: { group: "gone" }, after: { group: null } });
  await openAdministration("audit", {
    "GET /admin/audit": { json: { entries: [moved] } },
    "GET /admin/accounts/eve": { json: eve },
    "PATCH /admin/accounts/eve": problem(400, "invalid-input", {
      issues: [{ field: "groupId", rule: "invalid", message: "" }],
    }),
  });
  await press("Undo");
  expect(currentNotifications().at(-1)?.text).toBe(
    "The change cannot be undone: the former group does not exist any more.",
  );
});

test("a value that was changed again since is restored only after a question", async () => {
  const account = { ...eve, quotaMb: 9 };
  const quota = entry(3, { kind: "quota-changed", before: { quotaMb: 5 }, after: { quotaMb: 7 } });
  const calls = await openAdministration("audit", {
    "GET /admin/audit": { json: { entries: [quota] } },
    "GET /admin/accounts/eve": { json: account },
    "PATCH /admin/accounts/eve": { json: account },
  });
  await press("Undo");
  const dialog = await screen.findByRole("alertdialog");
  expect(calls.some(({ method }) => method === "PATCH")).toBe(false);
  await act(async () => void fireEvent.click(within(dialog).getByRole("button", { name: "Undo" })));
  expect(calls.find(({ method }) => method === "PATCH")?.body).toEqual({ quotaMb: 5 });
});

test("administrators undo only what they may change", async () => {
  const role = (seq: number, before: string, after: string) =>
    entry(seq, { kind: "role-changed", before: { role: before }, after: { role: after } });
  const gone = entry(1, { kind: "quota-changed", subject: { id: "x" }, before: { quotaMb: 1 }, after: { quotaMb: 2 } });
  const entries = [named, role(2, "person", "owner"), role(4, "person", "manager"), gone, entry(5)];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries } } }, "administrator");
  const undoable = lines().filter((line) => within(line).queryByRole("button", { name: "Undo" }));
  expect(undoable.map(({ id }) => id)).toEqual(["record-4"]);
});
