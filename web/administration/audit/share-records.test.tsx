import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AuditEntry } from "#contract/administration/administration.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { eachTestAlone, press } from "../../testing/open-settings.tsx";

eachTestAlone();

const entry = (seq: number, more: Partial<AuditEntry>): AuditEntry => ({
  seq,
  at: 1,
  kind: "share-made",
  actor: { id: "ada", username: "ada" },
  subject: { id: "eve", username: "eve" },
  ...more,
});
const lines = () => screen.getAllByRole("listitem").filter(({ id }) => id.startsWith("record-"));

test("records of links to chats name readers and lives, and those of settings and groups their words", async () => {
  const set = (seq: number, before: AuditEntry["before"], after: AuditEntry["after"]) =>
    entry(seq, { kind: "setting-changed", subject: null, before, after });
  const entries = [
    entry(7, { kind: "share-made", after: { share: "s", audience: "anyone", days: 7 } }),
    entry(6, { kind: "share-made", after: { share: "s", audience: "group", days: null } }),
    entry(5, { kind: "share-revoked", before: { share: "s" } }),
    entry(4, { kind: "share-revoked", before: { shares: 3 } }),
    set(3, { shareLinks: null }, { shareLinks: "signed-in" }),
    set(2, { shareLinks: "anyone" }, { shareLinks: "off" }),
    set(1, { shareDaysMax: 30 }, { shareDaysMax: 0 }),
    entry(0, { kind: "group-changed", subject: { id: "g" }, before: { mayShare: "on" }, after: { mayShare: "off" } }),
  ];
  await openAdministration("audit", { "GET /admin/audit": { json: { entries } } });
  expect(lines().map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Link to a chat made · eveanyone · 7 daysby ada/),
    expect.stringMatching(/^Link to a chat made · evethe person’s group · without endby ada/),
    expect.stringMatching(/^Link to a chat revoked · eveby ada/),
    expect.stringMatching(/^Link to a chat revoked · eve3 linksby ada/),
    expect.stringMatching(/^Setting changedWho can open links: default → people with an accountby ada/),
    expect.stringMatching(/^Setting changedWho can open links: anyone → nobodyby ada/),
    expect.stringMatching(/^Setting changedLongest life of links in days: 30 → without endby ada/),
    expect.stringMatching(/^Group changed · Deleted groupSharing by links: on → offby ada/),
  ]);
});

test("a changed longest life of links is undone by its audit record", async () => {
  const changed = entry(1, {
    kind: "setting-changed",
    subject: null,
    before: { shareDaysMax: null },
    after: { shareDaysMax: 30 },
  });
  const stated = <T,>(value: T) => ({ value, source: "default", default: value });
  const settings = {
    ...{ productName: stated("Parley"), registration: stated("open"), registrationDomains: stated([]) },
    ...{ trustedNetworks: stated([]), dailyReplies: stated(500), toolCallsPerMinute: stated(60) },
    ...{ toolCallsPerDay: stated(1000), systemPrompt: stated(""), releaseCheck: stated("off") },
    ...{ ownToolServers: stated("off"), shareLinks: stated("anyone") },
    shareDaysMax: { value: 30, source: "database", default: 0, changedAt: 1 },
  };
  const calls = await openAdministration("audit", {
    "GET /admin/audit": { json: { entries: [changed] } },
    "GET /admin/settings": { json: settings },
    "PATCH /admin/settings": { json: settings },
  });
  expect(lines()[0]?.textContent).toContain("Longest life of links in days: default → 30");
  await press("Undo");
  expect(calls.find(({ method }) => method === "PATCH")?.body).toEqual({ shareDaysMax: null });
});
