import { act, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import type { ToolServer } from "#contract/conversation/tools.ts";
import { ChatSessionContext } from "../conversation/chat-session.ts";
import { openStoredSession } from "../conversation/stored-session.ts";
import { toolGroupsQuery } from "../presets/tools/tool-groups-query.ts";
import { ToolsMenu } from "../presets/tools/tools-menu.tsx";
import "../testing/english-texts.ts";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import { eachTestAlone } from "../testing/open-settings.tsx";
import { ActionsMount, actionsModule } from "./actions-mount.tsx";

eachTestAlone();

const tea: ToolServer = {
  ...{ id: "s1", name: "Tea shop", host: "tea.example", isOwn: false, state: "ready", leftOut: 0 },
  tools: [{ name: "buy", effect: "change" }],
};

/** Mounts the actions of a new chat beside its menu of tools. */
async function mount() {
  Element.prototype.scrollIntoView = () => {};
  const models = [{ label: "small", value: "GPT:small", available: true }];
  fakeApi({
    "GET /models": { json: [{ label: "GPT", models }] },
    "GET /tools": { json: { groups: [{ slug: "basics" }, { slug: "tea", server: tea }] } },
  });
  await actionsModule.load();
  const session = openStoredSession("");
  await session.modelChoice.load();
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>
          <ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />
          <ToolsMenu session={session} />
        </MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
  await act(() => toolGroupsQuery.load());
}

/** Finds a server by the palette, and chooses it. @returns the name of its entry */
async function chooseByPalette(query: string) {
  await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
  const search = await screen.findByRole("combobox", { name: "Search" });
  fireEvent.input(search, { target: { value: query } });
  const [option] = await screen.findAllByRole("option");
  await act(async () => void fireEvent.keyDown(search, { key: "Enter" }));
  await vi.waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  return option?.textContent;
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));

test("the palette finds a server that was not explained yet and opens the tools at its explanation each time", async () => {
  await mount();
  expect(await chooseByPalette("tea shop")).toBe("Choose tools: Tea shop…");
  await screen.findByRole("group", { name: "Switch on Tea shop?" });
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Switch on" }));
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Tea shop" }).checked).toBe(false);
  await press("Cancel");
  await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" }));
  expect(screen.queryByRole("dialog", { name: "Tools" })).toBeNull();

  await chooseByPalette("tea shop");
  await screen.findByRole("group", { name: "Switch on Tea shop?" });
  await press("Switch on");
  await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" }));
  expect(await chooseByPalette("tea shop")).toBe("Choose tools: Tea shopSelected");
  await screen.findByRole("button", { name: "Tools" });
  expect(screen.queryByRole("dialog", { name: "Tools" })).toBeNull();
});
