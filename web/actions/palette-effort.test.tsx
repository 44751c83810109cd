import { act, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { ChatSessionContext } from "../conversation/chat-session.ts";
import { chatSession } from "../conversation/stored-session.ts";
import { effortChoiceOf } from "../presets/effort-choice.ts";
import "../testing/english-texts.ts";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import { eachTestAlone } from "../testing/open-settings.tsx";
import { ActionsMount, actionsModule } from "./actions-mount.tsx";

eachTestAlone();

test("the palette chooses the thinking effort", async () => {
  const model = { label: "gpt-5", value: "GPT:gpt-5", available: true, efforts: ["low", "high"] };
  fakeApi({ "GET /models": { json: [{ label: "GPT", models: [model] }] } });
  await actionsModule.load();
  const session = chatSession("");
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
  await act(async () => void fireEvent.keyDown(document.body, { key: "k", ctrlKey: true }));
  const search = await screen.findByRole("combobox", { name: "Search" });
  fireEvent.input(search, { target: { value: "thinking effort thorough" } });
  const options = await screen.findAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(["Choose a thinking effort: Thorough"]);
  await act(async () => void fireEvent.keyDown(search, { key: "Enter" }));
  await vi.waitFor(() => expect(effortChoiceOf(session).wanted).toBe("high"));
});
