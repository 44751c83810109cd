import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AccountRole } from "#contract/accounts/roles.ts";
import type { InstallationSettingsAnswer } from "#contract/administration/installation.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { done, eachTestAlone, press, type } from "../../testing/open-settings.tsx";
import { currentNotifications } from "../../ui/notifications/notify.ts";

eachTestAlone();

const settings: InstallationSettingsAnswer = {
  productName: { value: "Parley", source: "default", default: "Parley" },
  registration: { value: "closed", source: "environment", default: "open" },
  registrationDomains: { value: ["a.example"], source: "database", default: [], changedAt: 1 },
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
const withName = (value: string): InstallationSettingsAnswer => ({
  ...settings,
  productName: { value, source: "database", default: "Parley", changedAt: 2 },
});
const READ = "GET /admin/settings";
const SAVE = "PATCH /admin/settings";
const NOTICE = "GET /notice";
const LIFE = "Longest life of links in days";

async function open(answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}, role: AccountRole = "owner") {
  const calls = await openAdministration(
    "settings",
    { [READ]: { json: settings }, [NOTICE]: { json: { notice: null } }, ...answers },
    role,
  );
  await screen.findByRole("heading", { name: "Notice to everybody" });
  return () =>
    calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);
}
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });

test("each setting shows its value and its source; one of the environment cannot be changed", async () => {
  await open();
  expect(field("Name").value).toBe("Parley");
  expect(field("Allowed domains").value).toBe("a.example");
  expect(screen.getByText("Fixed by REGISTRATION in the server’s environment.")).toBeTruthy();
  expect(screen.getByRole<HTMLFieldSetElement>("group", { name: "Registration" }).disabled).toBe(true);
  expect(screen.getAllByText("This is the default.")).toHaveLength(8);
  expect(screen.queryByRole("button", { name: "Save: Registration" })).toBeNull();
  expect(screen.getByRole("button", { name: "Reset to default: Allowed domains" })).toBeTruthy();
});

test("a saved setting can be undone, which restores its default", async () => {
  const sent = await open({ [SAVE]: [{ json: withName("Salon") }, { json: settings }] });
  type("Name", "Salon");
  await press("Save: Name");
  expect(sent()).toEqual([[SAVE, { productName: "Salon" }]]);
  expect(screen.getByRole("button", { name: "Reset to default: Name" })).toBeTruthy();
  const [notification] = currentNotifications();
  expect(notification?.text).toBe("Saved: Name");
  await act(async () => notification?.action?.run());
  expect(sent()[1]).toEqual([SAVE, { productName: null }]);
  expect(field("Name").value).toBe("Parley");
});

test("the limits of tool calls are saved as numbers", async () => {
  const sent = await open({ [SAVE]: { json: settings } });
  type("Tool calls a minute", " 5 ");
  await press("Save: Tool calls a minute");
  type("Tool calls a day", "200");
  await press("Save: Tool calls a day");
  expect(sent()).toEqual([
    [SAVE, { toolCallsPerMinute: 5 }],
    [SAVE, { toolCallsPerDay: 200 }],
  ]);
});

test("links to chats are limited to people with an account, and to a longest life in days", async () => {
  const shareLinks = { value: "signed-in", source: "database", default: "anyone", changedAt: 2 };
  const shareDaysMax = { value: 30, source: "database", default: 0, changedAt: 2 };
  const sent = await open({
    [SAVE]: [
      { json: { ...settings, shareLinks } },
      { json: { ...settings, shareLinks, shareDaysMax } },
      { json: { ...settings, shareLinks } },
    ],
  });
  expect(screen.getByText(/Existing links follow these settings too/)).toBeTruthy();
  const reaches = within(screen.getByRole("group", { name: "Who can open links" })).getAllByRole("radio");
  expect(reaches.map((reach) => (reach as HTMLInputElement).checked)).toEqual([false, false, true]);
  await act(async () => reaches[1]?.click());
  await press("Save: Who can open links");
  expect(field(LIFE).value).toBe("");
  type(LIFE, "30");
  await press(`Save: ${LIFE}`);
  type(LIFE, " ");
  await press(`Save: ${LIFE}`);
  expect(sent()).toEqual([
    [SAVE, { shareLinks: "signed-in" }],
    [SAVE, { shareDaysMax: 30 }],
    [SAVE, { shareDaysMax: 0 }],
  ]);
});

test("a saved longest life of links can be undone, and links fixed by the environment cannot be changed", async () => {
  const shareLinks = { value: "off", source: "environment", default: "anyone" };
  const shareDaysMax = { value: 7, source: "database", default: 0, changedAt: 2 };
  const sent = await open({
    [READ]: { json: { ...settings, shareLinks, shareDaysMax } },
    [SAVE]: { json: { ...settings, shareLinks } },
  });
  expect(screen.getByText("Fixed by SHARE_LINKS in the server’s environment.")).toBeTruthy();
  expect(screen.getByRole<HTMLFieldSetElement>("group", { name: "Who can open links" }).disabled).toBe(true);
  await press(`Reset to default: ${LIFE}`);
  const [notification] = currentNotifications();
  await act(async () => notification?.action?.run());
  expect(sent()).toEqual([
    [SAVE, { shareDaysMax: null }],
    [SAVE, { shareDaysMax: 7 }],
  ]);
});

test("a setting is reset to its default", async () => {
  const reset = { ...settings, registrationDomains: { value: [], source: "default", default: [] } };
  const sent = await open({ [SAVE]: { json: reset } });
  await press("Reset to default: Allowed domains");
  expect(sent()).toEqual([[SAVE, { registrationDomains: null }]]);
  expect(field("Allowed domains").value).toBe("");
});

test.each([
  ["Name", "  ", "Enter a name."],
  ["Name", "x".repeat(61), "Enter at most 60 characters."],
  ["Allowed domains", "example.org, nonsense", "Enter domains such as example.org, separated by commas."],
  [
    "Trusted networks",
    "10.0.0.0/8, 0.0.0.0/0",
    "Enter addresses or ranges such as 192.168.0.0/16, separated by commas and not wider than one organisation.",
  ],
  ["Replies a day", "0", "Enter a whole number from 1 to 1000000."],
  ["Replies a day", "many", "Enter a whole number from 1 to 1000000."],
  ["Tool calls a minute", "0", "Enter a whole number from 1 to 1000000."],
  ["Tool calls a day", "1000001", "Enter a whole number from 1 to 1000000."],
  [LIFE, "0", "Enter a whole number from 1 to 3650, or nothing."],
  [LIFE, "3651", "Enter a whole number from 1 to 3650, or nothing."],
  ["System prompt", "x".repeat(8001), "Enter at most 8000 characters."],
])("the setting %s does not accept %j", async (name, text, sentence) => {
  const sent = await open();
  type(name, text);
  await press(`Save: ${name}`);
  expect(screen.getByText(sentence)).toBeTruthy();
  expect(document.activeElement).toBe(field(name));
  expect(sent()).toEqual([]);
});

test("domains are sent in lower case, and a refusal of the server is shown", async () => {
  const sent = await open({ [SAVE]: problem(403, "not-permitted") });
  type("Allowed domains", "@B.example; a.example");
  await press("Save: Allowed domains");
  expect(sent()).toEqual([[SAVE, { registrationDomains: ["b.example", "a.example"] }]]);
  expect(screen.getByRole("alert").textContent).toContain("Your account may not do this");
  expect(field("Allowed domains").value).toBe("@B.example; a.example");
});

test("administrators can read the settings, but not change them", async () => {
  await open({}, "administrator");
  expect(screen.getByText("Only owners can change these settings.")).toBeTruthy();
  expect(field("Name").readOnly).toBe(true);
  expect(screen.queryByRole("button", { name: /^Save/ })).toBeNull();
  expect(screen.queryByRole("link", { name: "First steps" })).toBeNull();
  expect(screen.getByRole("button", { name: "Show the notice" })).toBeTruthy();
});

test("settings that cannot be read can be requested again", async () => {
  await open({ [READ]: [problem(503, "unavailable"), { json: settings }] });
  await press("Try again");
  await waitFor(() => expect(field("Name").value).toBe("Parley"));
});

test("a notice is shown with a preview and an end, and removed", async () => {
  const shown = { text: "Back at nine.", id: "1", until: new Date("2031-05-06T07:08").getTime() };
  const sent = await open({
    // Read when the page opens, before the notice is replaced, and after each change.
    [NOTICE]: [null, null, shown, null].map((notice) => ({ json: { notice } })),
    "PUT /admin/notice": done,
    "DELETE /admin/notice": done,
  });
  const section = within(screen.getByRole("region", { name: "Notice to everybody" }));
  type("Text of the notice", "Back at nine.");
  const end = section.getByLabelText<HTMLInputElement>("End (optional)");
  await act(async () => {
    type("End (optional)", "2031-05-06T07:08");
  });
  expect(section.getAllByText("Back at nine.")).toHaveLength(2);
  await press("Show the notice");
  expect(sent()).toEqual([["PUT /admin/notice", { text: "Back at nine.", until: shown.until }]]);
  expect(await section.findByText("Everybody sees the notice within a minute.")).toBeTruthy();
  expect(end.value).toBe("2031-05-06T07:08");
  await press("Remove");
  expect(await section.findByText("The notice is removed.")).toBeTruthy();
  expect(section.queryByRole("button", { name: "Remove" })).toBeNull();
});

test("an edit of a notice keeps what another administrator has changed of it meanwhile", async () => {
  const opened = { text: "Back at nine.", id: "1", until: 4_000_000_012_345 };
  const meanwhile = { ...opened, text: "Back at ten.", id: "2" };
  const sent = await open({
    [NOTICE]: [opened, meanwhile, meanwhile].map((notice) => ({ json: { notice } })),
    "PUT /admin/notice": done,
  });
  const section = within(screen.getByRole("region", { name: "Notice to everybody" }));
  await act(async () => type("End (optional)", "2099-05-06T07:08"));
  await press("Show the notice");
  const until = new Date("2099-05-06T07:08").getTime();
  expect(sent()).toEqual([["PUT /admin/notice", { text: "Back at ten.", until }]]);
  expect(await section.findByText("Everybody sees the notice within a minute.")).toBeTruthy();
  await act(async () => type("Text of the notice", "Back soon."));
  await press("Show the notice");
  // The end is that of the server, exact to the millisecond, which the field cannot show.
  expect(sent()[1]).toEqual(["PUT /admin/notice", { text: "Back soon.", until: opened.until }]);
});

test("a notice needs a text, and an end in the future", async () => {
  const sent = await open();
  type("Text of the notice", "  ");
  type("End (optional)", "2001-01-01T10:00");
  await press("Show the notice");
  expect(screen.getByText("Enter a text.")).toBeTruthy();
  expect(screen.getByText("Choose a time in the future.")).toBeTruthy();
  expect(sent()).toEqual([]);
});
