import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Effort } from "#contract/models/effort.ts";
import type { ModelGroup } from "#contract/models/models.ts";
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
  const session = { store, modelChoice, presets: new PresetList(api), storedSession: null };
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

test("the menu offers three efforts with what they do, and the button names the chosen one", async () => {
  const { chooseModel } = await open();
  await chooseModel("wide");
  expect(shown()).toBe("Thinking effort: Standard");
  expect(screen.getByRole("button").textContent).toBe("");
  await act(async () => void fireEvent.keyDown(screen.getByRole("button"), { key: "Enter" }));
  const items = await screen.findAllByRole("menuitemradio");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    "FastAnswers soonest",
    "StandardAs the model decides",
    "ThoroughThinks longer first",
  ]);
  await act(async () => void fireEvent.click(screen.getByRole("menuitemradio", { name: /^Thorough/ })));
  expect(shown()).toBe("Thinking effort: Thorough");
  expect(screen.getByRole("button").textContent).toBe("Thorough");
});

test("a model that lacks the chosen effort uses its nearest without a remark", async () => {
  const { chooseModel, choose } = await open();
  await chooseModel("mini");
  await choose("off");
  expect(shown()).toBe("Thinking effort: Fast");
  await act(async () => void fireEvent.keyDown(screen.getByRole("button"), { key: "Enter" }));
  expect((await screen.findByRole("menu")).getAttribute("aria-describedby")).toBeNull();
});

test("a model without efforts shows no button for them, and the chosen effort stays", async () => {
  const { chooseModel, choose } = await open();
  await chooseModel("wide");
  await choose("off");
  await chooseModel("nano");
  expect(shown()).toBeNull();
  await chooseModel("wide");
  expect(shown()).toBe("Thinking effort: Fast");
});
