import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Effort } from "#contract/effort.ts";
import type { ModelGroup } from "#contract/models.ts";
import type { Api } from "../api/client.ts";
import { createChatsStore } from "../chats/state/chats-store.ts";
import { ModelChoice } from "../models/model-choice.ts";
import { Query } from "../queries/query.ts";
import "../testing/english-texts.ts";
import { chooseEffort } from "./effort-choice.ts";
import { EffortMenu } from "./effort-menu.tsx";
import { PresetList } from "./preset-list.ts";

const model = (label: string, efforts?: Effort[]) => ({
  label,
  value: `GPT:${label}`,
  available: true,
  ...(efforts && { efforts }),
});
const groups: ModelGroup[] = [
  { label: "GPT", models: [model("wide", ["off", "low", "high"]), model("mini", ["minimal", "low"]), model("nano")] },
];

beforeEach(() => localStorage.clear());
afterEach(cleanup);

async function open() {
  const api = { get: async () => [], patch: async () => undefined } as unknown as Api;
  const store = createChatsStore(api);
  const modelChoice = new ModelChoice("1", new Query(async () => groups));
  await modelChoice.load();
  const session = { store, modelChoice, presets: new PresetList(api), kept: null };
  render(
    <Provider store={store}>
      <EffortMenu session={session} />
    </Provider>,
  );
  return {
    chooseModel: (name: string) => act(async () => modelChoice.choose(`GPT:${name}`)),
    choose: (effort: Effort | null) => act(async () => void chooseEffort(session, effort)),
  };
}

const shown = () => screen.queryByRole("button")?.getAttribute("aria-label") ?? null;

test("a model that lacks the chosen effort shows the nearest one, and the menu explains it", async () => {
  const { chooseModel, choose } = await open();
  await chooseModel("wide");
  await choose("off");
  expect(shown()).toBe("Thinking effort: Off");
  await chooseModel("mini");
  expect(shown()).toBe("Thinking effort: Minimal");
  await act(async () => void fireEvent.keyDown(screen.getByRole("button"), { key: "Enter" }));
  const menu = await screen.findByRole("menu");
  const note = "mini has no effort “Off” and uses “Minimal”.";
  expect(document.getElementById(menu.getAttribute("aria-describedby") ?? "")?.textContent).toBe(note);
});

test("a model without efforts shows no button for them, and the chosen effort stays", async () => {
  const { chooseModel, choose } = await open();
  await chooseModel("wide");
  await choose("off");
  await chooseModel("nano");
  expect(shown()).toBeNull();
  await chooseModel("wide");
  expect(shown()).toBe("Thinking effort: Off");
});
