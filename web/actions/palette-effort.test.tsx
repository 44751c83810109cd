import { act, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { ChatSessionContext } from "../conversation/chat-session.ts";
import { openStoredSession } from "../conversation/stored-session.ts";
import { effortChoiceOf } from "../presets/effort-choice.ts";
import "../testing/english-texts.ts";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import { eachTestAlone } from "../testing/open-settings.tsx";
import { ActionsMount, actionsModule } from "./actions-mount.tsx";

eachTestAlone();

/** Mounts the actions of a chat whose server has these models. Returns its session. */
async function mount(groups: unknown) {
  fakeApi({ "GET /models": { json: groups } });
  await actionsModule.load();
  const session = openStoredSession("");
  await session.modelChoice.load();
  render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>
          <ActionsMount page="chats" onLogout={() => {}} onChosen={() => {}} />
        </MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
  return session;
}

test("the palette chooses the thinking effort", async () => {
  const model = { label: "gpt-5", value: "GPT:gpt-5", available: true, efforts: ["low", "high"] };
  const session = await mount([{ label: "GPT", models: [model] }]);
  await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
  const search = await screen.findByRole("combobox", { name: "Search" });
  fireEvent.input(search, { target: { value: "thinking effort thorough" } });
  const options = await screen.findAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(["Choose a thinking effort: Thorough"]);
  await act(async () => void fireEvent.keyDown(search, { key: "Enter" }));
  await vi.waitFor(() => expect(effortChoiceOf(session).wanted).toBe("high"));
});

test("the palette lists the first of hundreds of models, says so, and names the connection of equal names", async () => {
  const models = Array.from({ length: 700 }, (_, at) => ({ label: `m${at}`, value: `R:m${at}`, available: true }));
  const home = { label: "Home", models: [{ label: "m699", value: "HOME:m699", available: true }] };
  const session = await mount([{ label: "Router", models }, home]);
  await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
  fireEvent.input(await screen.findByRole("combobox"), { target: { value: "choose a model" } });
  await act(async () => void fireEvent.click((await screen.findAllByRole("option"))[0] ?? document.body));
  const search = screen.getByRole("combobox");
  await vi.waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(60));
  expect(screen.getByRole("group", { name: /· 60\/702$/ })).toBeTruthy();
  fireEvent.input(search, { target: { value: "m699" } });
  const options = () => screen.getAllByRole("option").map(({ textContent }) => textContent);
  await vi.waitFor(() => expect(options()).toEqual(["m699 · Router", "m699 · Home"]));
  await act(async () => void fireEvent.keyDown(search, { key: "ArrowDown" }));
  await act(async () => void fireEvent.keyDown(search, { key: "Enter" }));
  await vi.waitFor(() => expect(session.modelChoice.current().value).toBe("HOME:m699"));
});
