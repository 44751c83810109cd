import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Overview } from "#contract/administration/overview.ts";
import type { Setup, SetupState } from "#contract/administration/setup.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { eachTestAlone, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const todo: Record<string, SetupState> = {
  ...{ name: "todo", registration: "todo", mail: "todo", provider: "todo", search: "todo", people: "todo" },
};
const answerOf = (more: Record<string, SetupState>, rest: Partial<Setup> = {}) => ({
  json: { steps: { ...todo, ...more }, ...rest },
});
const settings = {
  productName: { value: "Parley", source: "default", default: "Parley" },
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
const READ = "GET /admin/setup";
const CHANGE = "PATCH /admin/setup";

async function open(answers: Record<string, FakeAnswer | readonly FakeAnswer[]>) {
  const calls = await openAdministration("setup", { "GET /admin/settings": { json: settings }, ...answers });
  return () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
}
const line = (name: string) => {
  const item = screen.getByRole("heading", { name }).closest("li");
  if (!item) throw new Error(`No step is called ${name}`);
  return within(item);
};

test("each step of the setup shows its state and its task; a saved name is a done step", async () => {
  const named = { ...settings, productName: { value: "Salon", source: "database", default: "Parley", changedAt: 1 } };
  await open({
    [READ]: [answerOf({ provider: "done" }), answerOf({ provider: "done", name: "done" })],
    "PATCH /admin/settings": { json: named },
    "GET /admin/overview": problem(503, "unavailable"),
  });
  expect(screen.getByText("1 of 6 done")).toBeTruthy();
  expect(line("1. Connect a model").getByText("Done")).toBeTruthy();
  expect(line("4. Send mails").getByText(/Set SMTP_URL and MAIL_FROM/)).toBeTruthy();
  type("Name", "Salon");
  await press("Save: Name");
  expect(await screen.findByText("2 of 6 done")).toBeTruthy();
});

test("the key of a provider is tested in its step of the setup", async () => {
  const overview: Overview = {
    accounts: { total: 1, verified: 1, unverified: 0, disabled: 0, activeInWeek: 1, activeInMonth: 1 },
    replies: { today: 0, month: 0, days: [] },
    usage: { month: "2026-01", inputTokens: 0, outputTokens: 0 },
    mail: { hasMailServer: true, waiting: 0, failed: 0 },
    storage: { stored: 0, database: 0, diskFree: 1, diskSize: 1 },
    groupBudgets: { nearlyUsed: 0, usedUp: 0 },
    answeringProcess: { version: "1", uptimeMs: 1, providers: [{ name: "openai" }] },
    warnings: [],
  };
  const tested = { ok: true, model: "GPT:gpt-5-mini", answer: "OK", durationMs: 400 };
  const sent = await open({
    [READ]: answerOf({ provider: "done" }),
    "GET /admin/overview": [problem(503, "unavailable"), { json: overview }],
    "POST /admin/providers/openai/test": { json: tested },
  });
  await press("Try again");
  await press("Test: OpenAI");
  expect(line("1. Connect a model").getByText(/OK/)).toBeTruthy();
  expect(sent()).toEqual([["POST /admin/providers/openai/test", {}]]);
});

test.each([
  ["todo", /^Optional\. A search engine lets models/],
  ["done", /A search engine is set/],
] as const)("the step of web search that is %s leads to the page where it is set up", async (state, sentence) => {
  await open({ [READ]: answerOf({ search: state }) });
  const step = line("5. Set up web search");
  expect(step.getByText(sentence)).toBeTruthy();
  const link = step.getByRole("link", { name: "Open web search" });
  expect(link.getAttribute("href")).toBe("/administration/web-search");
});

test("the steps of the setup lead to the import of chats from other services", async () => {
  await open({ [READ]: answerOf({}) });
  const link = screen.getByRole("link", { name: "Import your history" });
  expect(link.getAttribute("href")).toBe("/settings/data#import");
});

test("a step of the setup is skipped, and done after all", async () => {
  const sent = await open({ [READ]: answerOf({}), [CHANGE]: [answerOf({ mail: "skipped" }), answerOf({})] });
  await press("Skip: Send mails");
  expect(line("4. Send mails").getByText("Skipped")).toBeTruthy();
  expect(line("4. Send mails").queryByRole("button", { name: "Send a test mail" })).toBeNull();
  await press("Do it after all: Send mails");
  expect(line("4. Send mails").getByText("To do")).toBeTruthy();
  expect(sent()).toEqual([
    [CHANGE, { skipped: ["mail"] }],
    [CHANGE, { skipped: [] }],
  ]);
});

test("a step whose default is right is kept, and counts as done", async () => {
  const sent = await open({ [READ]: answerOf({}), [CHANGE]: answerOf({ name: "skipped" }) });
  await press("Keep: Give it a name");
  expect(line("2. Give it a name").getByText("Kept")).toBeTruthy();
  expect(screen.getByText("1 of 6 done")).toBeTruthy();
  expect(sent()).toEqual([[CHANGE, { skipped: ["name"] }]]);
});

test.each([
  ["sent", "done", "The mail server accepted a mail to ada@example.com."],
  ["sent", "todo", "A mail to ada@example.com is in the data folder."],
  ["refused", "done", "The mail server refused the mail."],
  ["waiting", "done", "The mail is not delivered yet"],
] as const)(
  "a test mail that is %s, with a mail server that is %s, shows its outcome",
  async (state, mail, sentence) => {
    const to = "ada@example.com";
    await open({ [READ]: answerOf({ mail }), "POST /admin/test-mail": { json: { to, state } } });
    await press("Send a test mail");
    expect(screen.getByText(new RegExp(sentence.replaceAll(".", "\\.")))).toBeTruthy();
  },
);

test("the hint of the setup is dismissed permanently", async () => {
  const sent = await open({ [READ]: answerOf({}), [CHANGE]: answerOf({}, { dismissedAt: 1 }) });
  await press("Do not remind me again");
  expect(sent()).toEqual([[CHANGE, { isDismissed: true }]]);
  expect(screen.getByText("You are not reminded of these steps any more.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Do not remind me again" })).toBeNull();
});

test("steps of the setup that cannot be read can be requested again", async () => {
  await open({ [READ]: [problem(503, "unavailable"), answerOf({})] });
  await press("Try again");
  expect(await screen.findByText("0 of 6 done")).toBeTruthy();
});
