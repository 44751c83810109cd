import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type Overview, overviewWarnings } from "#contract/administration/overview.ts";
import { DAY, HOUR, MINUTE } from "#contract/limits.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { eachTestAlone, press } from "../../testing/open-settings.tsx";
import { uptimeText } from "./overview-words.ts";

eachTestAlone();

const PATH = "GET /admin/overview";
const day = (at: number) => new Date(Date.UTC(2026, 0, 2) + at * DAY).toISOString().slice(0, 10);

const overview: Overview = {
  accounts: { total: 1234, verified: 1200, unverified: 34, disabled: 5, activeInWeek: 78, activeInMonth: 90 },
  replies: {
    today: 6,
    month: 4321,
    days: Array.from({ length: 30 }, (_, at) => ({ day: day(at), replies: at === 28 ? 1500 : at % 2 })),
  },
  usage: { month: "2026-01", inputTokens: 2_500_000, outputTokens: 9876, cost: 12.5 },
  groupBudgets: { nearlyUsed: 1, usedUp: 2 },
  mail: { hasMailServer: true, waiting: 3, failed: 2 },
  storage: { stored: 5_000_000, database: 42_000_000, diskFree: 7_000_000_000, diskSize: 90_000_000_000 },
  answeringProcess: { version: "1.2.3", uptimeMs: 3 * DAY, providers: [] },
  warnings: [],
};

const budget = {
  scope: "installation",
  ...{ limit: 10, spent: 8.75, reserved: 0.5, month: "2026-01" },
  resetsAt: new Date(2026, 1, 1).getTime(),
} as const;

const open = (changed: Partial<Overview> = {}) =>
  openAdministration("overview", { [PATH]: { json: { ...overview, ...changed } } });
const card = (name: string) => screen.getByRole("region", { name }).textContent;

test("the cards of the overview show accounts, replies and cost", async () => {
  await open();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Overview");
  expect(card("People")).toBe("People1,234Active in 7 days78Active in 30 days90Not verified34Disabled5");
  expect(card("Replies this month")).toBe("Replies this month4,321Today6");
  expect(card("Cost this month")).toBe("Cost this month$12.50Tokens in2.5MTokens out9,876");
  expect(card("Server")).toMatch(/42 MB.*7 GB of 90 GB.*Mail serverSet.*waiting3.*7 days2.*1\.2\.3.*3 days/);
  expect(screen.queryByRole("region", { name: "Warnings" })).toBeNull();
});

test("the budget has a bar, with its amounts and its next month in words", async () => {
  await open();
  expect(screen.queryByRole("region", { name: "Budget this month" })).toBeNull();
  cleanup();
  await open({ budget });
  const bar = screen.getByRole<HTMLProgressElement>("progressbar", { name: "Budget this month" });
  expect(bar.value).toBeCloseTo(0.875);
  expect(card("Budget this month")).toMatch(
    /^Budget this month\$8\.75 of \$10\.00Nearly used up\. The next month begins on Feb 1, 2026, .*\. Another \$0\.50 is reserved/,
  );
});

test("without a price the cost is unknown, not zero", async () => {
  const { cost, ...unpriced } = overview.usage;
  expect(cost).toBeDefined();
  await open({ usage: unpriced });
  expect(card("Cost this month")).toMatch(/^Cost this month–/);
});

describe("the chart of replies", () => {
  test("the chart has a bar for each day, and its sum and its largest day in words", async () => {
    await open();
    const chart = screen.getByRole("img", { name: "Total: 1,515. Most on January 30: 1,500." });
    const heights = [...chart.querySelectorAll("rect")].map((bar) => Number(bar.getAttribute("height")));
    expect(heights).toHaveLength(30);
    expect([heights[0], heights[1], heights[28]]).toEqual([0, 3, 100]);
  });

  test("the chart shows a message if there are no replies", async () => {
    await open({ replies: { today: 0, month: 0, days: [{ day: day(0), replies: 0 }] } });
    expect(screen.getByText("No replies in the last 30 days.")).toBeTruthy();
    expect(screen.queryByRole("img")).toBeNull();
  });
});

test("each warning names its remedy; one of a newer server is left out", async () => {
  await open({ warnings: [...overviewWarnings, "flown-to-the-moon"], budget });
  const banners = within(screen.getByRole("region", { name: "Warnings" })).getAllByRole("status");
  expect(banners.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("npm run admin -- users role USER owner"),
    expect.stringMatching(/7 GB are free.*DATA_DIR/),
    expect.stringMatching(/used up: until Feb 1, 2026.*MONTHLY_BUDGET_USD/),
    expect.stringMatching(/REGISTRATION .*REGISTRATION_DOMAINS/),
    expect.stringContaining("RATE_LIMITS"),
    expect.stringMatching(/No model is connected.*“Connections”/),
    expect.stringContaining("SMTP_URL"),
    expect.stringMatching(/^87% of this month’s budget is spent/),
    expect.stringContaining("The budgets of 2 groups are used up"),
    "The budget of 1 group is nearly used up.",
  ]);
});

describe("the list of providers", () => {
  const lines = () => within(screen.getByRole("region", { name: "Providers" })).getAllByRole("listitem");

  test("providers are described in words", async () => {
    const now = Date.now();
    const failed = { code: "assistant-busy", at: now - 5 * MINUTE };
    const providers = [
      { name: "openai", lastSuccessAt: now - HOUR, lastError: failed, coolsUntil: now + 2 * MINUTE },
      { name: "anthropic", lastSuccessAt: now - HOUR },
      { name: "local", lastError: { ...failed, code: "assistant-new" } },
      { name: "other" },
    ];
    await open({ answeringProcess: { ...overview.answeringProcess, providers } });
    const texts = lines().map(({ textContent }) => textContent);
    expect(texts[0]).toMatch(
      /^OpenAILast answer: 1 hour agoLast error: 5 minutes ago, overloaded or over its limitSkipped until \d/,
    );
    expect(texts[1]).toBe("AnthropicLast answer: 1 hour agoWorksTest");
    expect(texts[2]).toBe("Local serverLast error: 5 minutes ago, unknown reasonLast call failedTest");
    expect(texts[3]).toBe("otherNot called yet");
  });

  test("a provider with a success after an error counts as healthy", async () => {
    const now = Date.now();
    const provider = { name: "openai", lastSuccessAt: now, lastError: { code: "assistant-failed", at: now - MINUTE } };
    await open({ answeringProcess: { ...overview.answeringProcess, providers: [provider] } });
    expect(lines()[0]?.textContent).toMatch(/WorksTest$/);
  });

  test("the overview shows that no provider is configured", async () => {
    await open();
    expect(screen.getByText("No provider is configured.")).toBeTruthy();
  });
});

test("a failed read of the overview can be retried", async () => {
  await openAdministration("overview", { [PATH]: [problem(503, "unavailable"), { json: overview }] });
  expect((await screen.findByRole("alert")).textContent).toContain("Try again");
  await press("Try again");
  expect(card("People")).toContain("1,234");
});

test("the numbers are read again when the person returns", async () => {
  const later = { ...overview, accounts: { ...overview.accounts, total: 1235 } };
  await openAdministration("overview", { [PATH]: [{ json: overview }, { json: later }] });
  await act(async () => window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(card("People")).toContain("1,235"));
});

test("the overview requests nothing for a person without the role", async () => {
  const calls = await openAdministration("overview", {}, "person");
  expect(screen.getByText("Only administrators can open this page.")).toBeTruthy();
  expect(calls.map(({ path }) => path)).not.toContain("/admin/overview");
});

test("the uptime of the server has a suitable unit", () => {
  const texts = [59 * MINUTE, HOUR, 47 * HOUR, 2 * DAY].map((ms) => uptimeText(ms, "en"));
  expect(texts).toEqual(["59 minutes", "1 hour", "47 hours", "2 days"]);
});
