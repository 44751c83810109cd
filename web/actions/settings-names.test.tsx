import { act, fireEvent, render, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import PersonChoices from "../chats/person-choices.tsx";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { ChatSessionContext, chatSession } from "../conversation/chat-session.ts";
import english from "../locales/en/app.json";
import "../testing/english-texts.ts";
import { fakeApi } from "../testing/fake-api.ts";
import { eachTestAlone, openSettings, tabName } from "../testing/open-settings.tsx";
import type { SettingsSection } from "../ui/settings-sections.ts";
import { ActionsMount, actionsModule } from "./actions-mount.tsx";

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

test("the account menu lists all settings pages by their names", async () => {
  openOnChats(<PersonChoices trigger={<button type="button">Ada</button>} isByKey={false} />);
  const entries = within(await screen.findByRole("menu")).getAllByRole("menuitem");
  expect(entries.map(({ textContent }) => textContent)).toEqual([...names, "Keyboard shortcuts"]);
});

test("the shortcuts open from the account menu once its button has the focus, which their dialog returns", async () => {
  openOnChats(<PersonChoices trigger={<button type="button">Ada</button>} isByKey={false} />);
  const { store } = chatSession("");
  const focused = new Promise<Element | null>((resolve) => {
    store.subscribe(() => selectDialog(store.getState()) && resolve(document.activeElement));
  });
  await act(async () => void fireEvent.click(await screen.findByRole("menuitem", { name: "Keyboard shortcuts" })));
  expect(await focused).toBe(screen.getByRole("button", { name: "Ada" }));
});

test("the palette finds all settings pages by the word “settings”, and lists them by their names", async () => {
  await actionsModule.load();
  openOnChats(<ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />);
  await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
  fireEvent.input(await screen.findByRole("combobox", { name: "Search" }), { target: { value: "settings" } });
  const found = within(screen.getByRole("group", { name: "Go to" })).getAllByRole("option");
  expect(found.map(({ textContent }) => textContent)).toEqual(names);
});

function openOnChats(content: ReactNode) {
  fakeApi({});
  const session = chatSession("");
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>{content}</MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
}
