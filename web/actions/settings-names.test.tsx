import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { Provider } from "react-redux";
import { MemoryRouter, useLocation } from "react-router";
import { describe, expect, test } from "vitest";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { signIn } from "../accounts/session/session.ts";
import PersonChoices from "../chats/person-choices.tsx";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { ChatSessionContext } from "../conversation/chat-session.ts";
import { openStoredSession } from "../conversation/stored-session.ts";
import administration from "../locales/en/administration.json";
import english from "../locales/en/app.json";
import "../testing/english-texts.ts";
import { ada, fakeApi, tokenFor } from "../testing/fakes/fake-api.ts";
import { eachTestAlone, openSettings, tabName } from "../testing/open-settings.tsx";
import type { SettingsSection } from "../ui/settings-sections.ts";
import { ActionsMount, actionsModule } from "./actions-mount.tsx";
import { administrationModule } from "./administration-module.ts";

eachTestAlone();

const names = Object.values(english.settingsPage);

test.each(Object.entries(english.settingsPage) as [SettingsSection, string][])(
  "the page %s is called “%s” in its navigation, its heading and the tab",
  async (section, name) => {
    await openSettings(section, { "GET /usage": { status: 500, json: {} }, "GET /models": { json: [] } });
    const links = within(screen.getByRole("navigation")).getAllByRole("link");
    expect(links.map(({ textContent }) => textContent)).toEqual(["Back to chats", ...names]);
    expect(links.find((link) => link.getAttribute("aria-current") === "page")?.textContent).toBe(name);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(name);
    expect(tabName()).toBe(name);
  },
);

test("the account menu leads to the settings and the usage, not to each page", async () => {
  openOnChats(<PersonChoices trigger={<button type="button">Ada</button>} isByKey={false} />);
  const entries = within(await screen.findByRole("menu")).getAllByRole("menuitem");
  expect(entries.map(({ textContent }) => textContent)).toEqual(["Settings", "Usage", "Keyboard shortcuts"]);
  fireEvent.click(screen.getByRole("menuitem", { name: "Settings" }));
  await waitFor(() => expect(shownPath).toBe("/settings/account"));
});

test("the shortcuts open from the account menu once its button has the focus, which their dialog returns", async () => {
  openOnChats(<PersonChoices trigger={<button type="button">Ada</button>} isByKey={false} />);
  const { store } = openStoredSession("");
  const focused = new Promise<Element | null>((resolve) => {
    store.subscribe(() => selectDialog(store.getState()) && resolve(document.activeElement));
  });
  const shortcuts = await screen.findByRole("menuitem", { name: "Keyboard shortcuts" });
  await act(async () => void fireEvent.click(shortcuts));
  expect(await focused).toBe(screen.getByRole("button", { name: "Ada" }));
});

test("the palette finds all settings pages, the activity and the links by the word “settings”, and lists them by their names", async () => {
  await actionsModule.load();
  openOnChats(<ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />);
  await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
  fireEvent.input(await screen.findByRole("combobox", { name: "Search" }), { target: { value: "settings" } });
  const found = within(screen.getByRole("group", { name: "Go to" })).getAllByRole("option");
  expect(found.map(({ textContent }) => textContent)).toEqual([...names, "Activity", "Shared links"]);
  fireEvent.click(screen.getByRole("option", { name: "Activity" }));
  await waitFor(() => expect(shownPath).toBe("/settings/security#activity"));
});

test("the palette finds the shared links", async () => {
  await actionsModule.load();
  openOnChats(<ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />);
  await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
  fireEvent.input(await screen.findByRole("combobox", { name: "Search" }), { target: { value: "shared links" } });
  fireEvent.click(screen.getByRole("option", { name: "Shared links" }));
  await waitFor(() => expect(shownPath).toBe("/settings/data#shared-links"));
});

test("the palette finds the tools by the words “MCP servers”", async () => {
  await actionsModule.load();
  openOnChats(<ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />);
  await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
  fireEvent.input(await screen.findByRole("combobox", { name: "Search" }), { target: { value: "mcp servers" } });
  fireEvent.click(screen.getByRole("option", { name: english.settingsPage.tools }));
  await waitFor(() => expect(shownPath).toBe("/settings/tools"));
});

describe("the palette and the administration", () => {
  async function search(role: AccountRole, words: string): Promise<string[]> {
    signIn({ access_token: tokenFor("1"), user: { ...ada, role }, emailVerified: true });
    await actionsModule.load();
    openOnChats(<ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />);
    await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
    const box = await screen.findByRole("combobox", { name: "Search" });
    await act(async () => administrationModule.load().then(() => undefined));
    fireEvent.input(box, { target: { value: words } });
    const group = screen.queryByRole("group", { name: "Go to" });
    return group
      ? within(group)
          .getAllByRole("option")
          .map(({ textContent }) => textContent ?? "")
      : [];
  }
  const pageNames = Object.values(administration.page);
  const ofOwners = (["connections", "web-search", "identity-providers", "setup"] as const).map(
    (page) => administration.page[page],
  );

  test.each([
    ["an administrator", "administrator", pageNames.filter((name) => !ofOwners.includes(name))],
    ["a manager", "manager", [administration.page.people, administration.page.invitations, administration.page.groups]],
  ] as const)("%s finds the administration in the palette, and each of its pages by name", async (_, role, names) => {
    expect(await search(role, "administration")).toEqual(["Administration"]);
    for (const name of names) {
      fireEvent.input(screen.getByRole("combobox", { name: "Search" }), {
        target: { value: `administration ${name}` },
      });
      expect(screen.getByRole("option", { name: `Administration: ${name}` })).toBeTruthy();
    }
  });

  test("the palette offers the administration's pages, and opens the chosen one with the keyboard", async () => {
    await search("owner", "administration");
    const box = () => screen.getByRole("combobox", { name: "Search" });
    await act(async () => void fireEvent.keyDown(box(), { key: "Enter" }));
    expect((await screen.findAllByRole("option")).map(({ textContent }) => textContent)).toEqual(pageNames);
    fireEvent.keyDown(box(), { key: "ArrowDown" });
    await act(async () => void fireEvent.keyDown(box(), { key: "Enter" }));
    await waitFor(() => expect(shownPath).toBe("/administration/people"));
  });

  test("a person without a role does not find the administration in the palette", async () => {
    expect(await search("person", "administration")).toEqual([]);
  });
});

let shownPath = "";
function Path() {
  const { pathname, hash } = useLocation();
  shownPath = pathname + hash;
  return null;
}

function openOnChats(content: ReactNode) {
  fakeApi({});
  const session = openStoredSession("");
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>
          {content}
          <Path />
        </MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
}
