import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { AUDIT_PAGE, type AuditEntry } from "#contract/administration.ts";
import { problem } from "../../testing/fake-api.ts";
import { openAdministration, shownAddress } from "../../testing/open-administration.tsx";
import { eachTestAlone, press, type } from "../../testing/open-settings.tsx";
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
const lines = () => screen.getAllByRole("listitem").filter(({ id }) => id.startsWith("record-"));

test("a record says what happened, about whom, by whom, and what changed", async () => {
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
  expect(screen.getAllByRole("link", { name: "eve" })[0]?.getAttribute("href")).toBe("/administration/people/eve");
});

test("records are searched, read by pages, and saved as CSV", async () => {
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

test("the records of one account are those of the address, until all are asked for", async () => {
  await openAdministration("audit?account=eve", {
    "GET /admin/audit?account=eve": { json: { entries: [entry(1)] } },
    "GET /admin/audit": { json: { entries: [entry(2), entry(1)] } },
  });
  expect(lines()).toHaveLength(1);
  await press("Show all");
  await waitFor(() => expect(lines()).toHaveLength(2));
  expect(shownAddress()).toBe("/administration/audit");
});

test("no records and a failure say so", async () => {
  await openAdministration("audit", {
    "GET /admin/audit": [problem(503, "unavailable"), { json: { entries: [] } }],
  });
  expect((await screen.findByRole("alert")).textContent).toContain("not available right now");
  await press("Try again");
  expect(await screen.findByText("No records")).toBeTruthy();
});
