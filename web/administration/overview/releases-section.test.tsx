import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { InstallationSettingsAnswer } from "#contract/administration/installation.ts";
import type { Overview } from "#contract/administration/overview.ts";
import { DAY, HOUR } from "#contract/limits.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { eachTestAlone } from "../../testing/open-settings.tsx";

eachTestAlone();

const PATH = "GET /admin/overview";

const overview: Overview = {
  accounts: { total: 1, verified: 1, unverified: 0, disabled: 0, activeInWeek: 1, activeInMonth: 1 },
  replies: { today: 0, month: 0, days: [{ day: "2026-01-31", replies: 0 }] },
  usage: { month: "2026-01", inputTokens: 0, outputTokens: 0 },
  groupBudgets: { nearlyUsed: 0, usedUp: 0 },
  mail: { hasMailServer: true, waiting: 0, failed: 0 },
  storage: { stored: 0, database: 0, diskFree: 7_000_000_000, diskSize: 90_000_000_000 },
  answeringProcess: { version: "1.2.3", uptimeMs: 3 * DAY, providers: [] },
  warnings: [],
};

const settings: InstallationSettingsAnswer = {
  productName: { value: "Parley", source: "default", default: "Parley" },
  registration: { value: "closed", source: "default", default: "open" },
  registrationDomains: { value: [], source: "default", default: [] },
  trustedNetworks: { value: [], source: "default", default: [] },
  dailyReplies: { value: 500, source: "default", default: 500 },
  toolCallsPerMinute: { value: 60, source: "default", default: 60 },
  toolCallsPerDay: { value: 1000, source: "default", default: 1000 },
  releaseCheck: { value: "on", source: "database", default: "off", changedAt: 1 },
  ownToolServers: { value: "off", source: "default", default: "off" },
  shareLinks: { value: "anyone", source: "default", default: "anyone" },
  shareDaysMax: { value: 0, source: "default", default: 0 },
  systemPrompt: { value: "", source: "default", default: "" },
};

const open = (changed: Partial<Overview> = {}) =>
  openAdministration("overview", { [PATH]: { json: { ...overview, ...changed } } });
const card = (name: string) => screen.getByRole("region", { name }).textContent;

describe("newer versions", () => {
  const section = () => screen.queryByRole("region", { name: "Newer versions" });
  const releases = { isChecked: true, isFixed: false, checkedAt: Date.now() - HOUR };
  const newer = { version: "1.3.0", url: "https://git.example.org/releases/1.3.0" };

  test("without an address of releases there is no switch", async () => {
    await open();
    expect(section()).toBeNull();
  });

  test("an owner switches the question on, and the overview is read again", async () => {
    const calls = await openAdministration("overview", {
      [PATH]: [
        { json: { ...overview, releases: { isChecked: false, isFixed: false } } },
        { json: { ...overview, releases: { ...releases, newer } } },
      ],
      "PATCH /admin/settings": { json: settings },
    });
    await act(async () => screen.getByRole("switch", { name: "Look for newer versions" }).click());
    await waitFor(() => expect(section()?.textContent).toContain("Version 1.3.0 is available."));
    const patch = calls.find(({ method }) => method === "PATCH");
    expect(patch?.body).toEqual({ releaseCheck: "on" });
    expect(screen.getByRole("link", { name: "What is new" }).getAttribute("href")).toBe(newer.url);
    expect(section()?.textContent).toContain("Last asked: 1 hour ago");
  });

  test("the newest version and a failed question are sentences", async () => {
    await open({ releases });
    expect(section()?.textContent).toContain("This is the newest version.");
    cleanup();
    await open({ releases: { ...releases, hasFailed: true } });
    expect(section()?.textContent).toContain("The last request failed.");
  });

  test("a switch that the environment decides is a sentence", async () => {
    await open({ releases: { ...releases, isFixed: true } });
    expect(screen.queryByRole("switch")).toBeNull();
    expect(section()?.textContent).toContain("RELEASES_CHECK");
  });

  test("administrators see a newer version, and no switch", async () => {
    const shown = { json: { ...overview, releases: { ...releases, newer } } };
    await openAdministration("overview", { [PATH]: shown }, "administrator");
    expect(screen.queryByRole("switch")).toBeNull();
    expect(section()?.textContent).toContain("Version 1.3.0 is available.");
    cleanup();
    const off = { json: { ...overview, releases: { isChecked: false, isFixed: false } } };
    await openAdministration("overview", { [PATH]: off }, "administrator");
    expect(section()).toBeNull();
  });
});

test("the overview shows the proxies of the server, and what is reached without them", async () => {
  const proxy = { https: "proxy.example.org:3128", http: "proxy.example.org:3129", direct: "10.0.0.0/8" };
  await open({ answeringProcess: { ...overview.answeringProcess, proxy } });
  expect(card("Server")).toMatch(
    /Proxyhttps: proxy\.example\.org:3128http: proxy\.example\.org:3129Direct: 10\.0\.0\.0\/8/,
  );
  cleanup();
  const both = { https: "proxy.example.org:3128", http: "proxy.example.org:3128" };
  await open({ answeringProcess: { ...overview.answeringProcess, proxy: both } });
  expect(card("Server")).toMatch(/Proxyproxy\.example\.org:3128$/);
});
