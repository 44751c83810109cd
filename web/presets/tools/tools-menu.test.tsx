import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AccountRole } from "#contract/accounts/roles.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { forgetSession, signIn } from "../../accounts/session/session.ts";
import { api } from "../../api/client.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { createChatsStore } from "../../chats/state/chats-store.ts";
import { createChat } from "../../chats/state/chats-thunks.ts";
import { ModelChoice } from "../../models/model-choice.ts";
import { Query } from "../../queries/query.ts";
import { ada, type FakeAnswer, fakeApi, tokenFor } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { clearNotifications, currentNotifications } from "../../ui/notifications/notify.ts";
import { PresetList } from "../preset-list.ts";
import { choosePreset } from "../use-preset.ts";
import { toolGroupsQuery } from "./tool-groups-query.ts";
import { ToolsMenu } from "./tools-menu.tsx";

const a = { id: "a", title: "T", updatedAt: 1, messages: [] };
const researcher: Preset = {
  id: "researcher",
  name: "Researcher",
  instructions: "",
  model: null,
  temperature: null,
  tools: ["web"],
};

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  clearNotifications();
  toolGroupsQuery.clear();
  forgetSession();
  vi.unstubAllGlobals();
});

type Opened = { slugs?: string[]; tools?: string[]; isDemo?: boolean; patch?: FakeAnswer; presets?: Preset[] | null };

/** Opens the chat `a` with these tools, beside its menu. */
async function open(opened: Opened = {}) {
  const { slugs = ["web", "chats", "basics"], tools, isDemo = false, patch, presets: known = [researcher] } = opened;
  const calls = fakeApi({
    "GET /tools": { json: { groups: slugs.map((slug) => ({ slug })) } },
    "PATCH /chat/a": patch ?? { status: 204, text: "" },
    "POST /chat": { json: { ...a, id: "new" } },
  });
  const store = createChatsStore(api);
  store.dispatch(chatEvents.loadChatSuccess({ chat: { ...a, ...(tools && { tools }) } }));
  store.dispatch(chatEvents.selectChat({ chat: "a" }));
  const models = [{ label: "small", value: "GPT:small", available: !isDemo }];
  const modelChoice = new ModelChoice("1", new Query(async () => [{ label: "GPT", models }]));
  await modelChoice.load();
  const presets = new PresetList(api);
  if (known) presets.take(known);
  const session = { store, modelChoice, presets, storedSession: null };
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={["/chat?c=a"]}>
        <ToolsMenu session={session} />
        <ShownLocation />
      </MemoryRouter>
    </Provider>,
  );
  await act(() => toolGroupsQuery.load());
  const sent = (method: string) => calls.filter((call) => call.method === method).map(({ body }) => body);
  return { store, session, sent };
}

function ShownLocation() {
  const { pathname, state } = useLocation();
  return <output>{JSON.stringify([pathname, state])}</output>;
}

const signInAs = (role: AccountRole) =>
  act(() => signIn({ access_token: tokenFor("1"), user: { ...ada, role }, emailVerified: true }));
const setUpItem = () => screen.queryByRole("menuitem", { name: "Set up web search" });

const webSwitch = () => screen.getByRole("button", { name: "Search the web" });
const isWebOn = () => webSwitch().getAttribute("aria-pressed") === "true";
const menuButton = () => screen.getByRole("button", { name: /^Tools/ });
const openMenu = () => act(async () => void fireEvent.keyDown(menuButton(), { key: "Enter" }));
const item = (name: RegExp) => screen.getByRole("menuitemcheckbox", { name });
const chosenItems = () =>
  screen
    .getAllByRole("menuitemcheckbox")
    .filter((each) => each.getAttribute("aria-checked") === "true")
    .map(({ textContent }) => textContent);

test("the switch turns web search of the chat on and off, and the server stores it", async () => {
  const { sent } = await open();
  expect(isWebOn()).toBe(false);
  fireEvent.click(webSwitch());
  expect(isWebOn()).toBe(true);
  expect(menuButton().getAttribute("aria-label")).toBe("Tools: Search the web");
  await vi.waitFor(() => expect(sent("PATCH")).toEqual([{ tools: ["web"] }]));
  fireEvent.click(webSwitch());
  expect(isWebOn()).toBe(false);
  await vi.waitFor(() => expect(sent("PATCH")).toEqual([{ tools: ["web"] }, { tools: [] }]));
});

test("several tools are chosen in one visit of the menu, which says what each does", async () => {
  const { sent } = await open({ tools: ["web"] });
  await openMenu();
  expect(screen.getAllByRole("menuitemcheckbox").map(({ textContent }) => textContent)).toEqual([
    "Search the webSearches, and reads pages that it finds",
    "Search my chatsFinds what you wrote and attached before",
    "Calculator and timeExact sums, dates and time zones",
  ]);
  fireEvent.click(item(/^Search my chats/));
  fireEvent.click(item(/^Calculator/));
  fireEvent.click(item(/^Search the web/));
  expect(chosenItems()).toHaveLength(2);
  expect(menuButton().getAttribute("aria-label")).toBe("Tools · 2: Search my chats and Calculator and time");
  expect(menuButton().textContent).toBe("2");
  await vi.waitFor(() => expect(sent("PATCH").at(-1)).toEqual({ tools: ["chats", "basics"] }));
});

test("without a search engine there is no switch, and what was chosen before stays listed as unavailable", async () => {
  await open({ slugs: ["chats", "basics"] });
  expect(screen.queryByRole("button", { name: "Search the web" })).toBeNull();
  cleanup();
  await open({ slugs: ["chats", "basics"], tools: ["web", "shop"] });
  await openMenu();
  expect(chosenItems()).toEqual([
    "Search the webNot available at the moment",
    "shopRemoved, or not for you. Answers do without it.",
  ]);
});

test.each([
  ["without a search engine", undefined],
  ["whose chat has chosen web search before", ["web"]],
] as const)("an owner %s is led from the menu to the page that sets one up", async (_, tools) => {
  signInAs("owner");
  await open({ slugs: ["basics"], ...(tools && { tools: [...tools] }) });
  await openMenu();
  act(() => fireEvent.click(setUpItem() as HTMLElement));
  expect(screen.getByRole("status").textContent).toBe(
    JSON.stringify(["/administration/web-search", { from: "/chat?c=a" }]),
  );
});

test.each([
  ["an administrator without a search engine", "administrator", ["basics"]],
  ["a person without a search engine", "person", ["basics"]],
  ["an owner with a search engine", "owner", ["web", "basics"]],
] as const)("%s sees no hint to set one up", async (_, role, slugs) => {
  signInAs(role);
  await open({ slugs: [...slugs] });
  await openMenu();
  expect(screen.getAllByRole("menuitemcheckbox")).toHaveLength(slugs.length);
  expect(setUpItem()).toBeNull();
});

test("there are no tools beside the demo assistant", async () => {
  await open({ isDemo: true });
  expect(screen.queryByRole("button")).toBeNull();
});

test("a chat has the tools of its preset until others are chosen, and again when the preset is chosen again", async () => {
  const { session, sent } = await open();
  act(() => choosePreset(session, "researcher"));
  expect(isWebOn()).toBe(true);
  fireEvent.click(webSwitch());
  expect(isWebOn()).toBe(false);
  await vi.waitFor(() => expect(sent("PATCH")).toEqual([{ presetId: "researcher" }, { tools: [] }]));
  act(() => choosePreset(session, "researcher"));
  expect(isWebOn()).toBe(true);
  await vi.waitFor(() => expect(sent("PATCH").at(-1)).toEqual({ tools: null }));
});

test("the tools of a chat with a preset are shown once the presets were read", async () => {
  const { store, session } = await open({ presets: null });
  act(() => void store.dispatch(chatEvents.guide({ chat: "a", change: { presetId: "researcher" } })));
  expect(screen.queryByRole("button")).toBeNull();
  act(() => session.presets.take([researcher]));
  expect(isWebOn()).toBe(true);
});

test("a new chat begins with the tools that were chosen for it, and the next one with none", async () => {
  const { store, sent } = await open();
  act(() => void store.dispatch(chatEvents.selectChat({ chat: null })));
  fireEvent.click(webSwitch());
  await act(async () => void (await store.dispatch(createChat())));
  expect(sent("POST")).toEqual([{ tools: ["web"] }]);
  act(() => void store.dispatch(chatEvents.selectChat({ chat: null })));
  expect(isWebOn()).toBe(false);
});

test("refused tools are rolled back, with a notification", async () => {
  await open({ patch: { status: 500, text: "" } });
  fireEvent.click(webSwitch());
  await vi.waitFor(() => expect(isWebOn()).toBe(false));
  expect(currentNotifications().map(({ text }) => text)).toEqual(["The tools could not be changed. Please try again."]);
});
