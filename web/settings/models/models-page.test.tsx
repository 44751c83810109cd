import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ModelGroup } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";

import { ModelChoice } from "../../models/model-choice.ts";
import { Query } from "../../queries/query.ts";
import { ada } from "../../testing/fakes/fake-api.ts";
import { eachTestAlone, openSettings, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const groups = [
  {
    label: "GPT",
    models: [
      { label: "small", value: "GPT:small", available: true, contextTokens: 1000, price: { input: 0.05, output: 2 } },
      { label: "large", value: "GPT:large", available: true },
    ],
  },
  { label: "Antropic", models: [{ label: "sonnet", value: "CLAUDE:sonnet", available: false }] },
];
const open = async (json: unknown = groups) => {
  await openSettings("models", { [`GET ${modelPaths.models}`]: { json } });
  await screen.findByRole("region", { name: "GPT" });
};
const chosen = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Model for new chats" });
const inMenus = (name: string) => screen.getByRole<HTMLInputElement>("switch", { name: `Show ${name} in menus` });
const flip = (name: string) => act(async () => void fireEvent.click(inMenus(name)));

/** Loads the models that the chat offers and the selected one, as the chat page does. */
async function chatHas() {
  const choice = new ModelChoice(ada.id, new Query<ModelGroup[]>(async () => groups));
  await choice.load();
  const { groups: offered, value } = choice.current();
  return [value, offered.flatMap(({ models }) => models.map(({ label }) => label)).join()];
}

test("each model is shown with its known properties", async () => {
  await open();
  const lines = screen.getAllByRole("listitem").filter((line) => within(line).queryByRole("switch"));
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    "small1,000 tokens of context · $0.05 in, $2.00 out",
    "large",
    "sonnetnot set up",
  ]);
  expect(screen.queryByText(/No provider is set up/)).toBeNull();
});

test("the default model is the one that the chat uses; automatic choice is listed first", async () => {
  await open();
  expect([...chosen().options].map(({ text }) => text)).toEqual(["Automatic", "small", "large", "sonnet (not set up)"]);
  expect(chosen().value).toBe("auto");
  await act(async () => void fireEvent.change(chosen(), { target: { value: "GPT:large" } }));
  expect(await chatHas()).toEqual(["GPT:large", "small,large,sonnet"]);
});

test("a model can be hidden from menus and shown again, except the chosen one", async () => {
  await open();
  await flip("sonnet");
  await flip("large");
  expect(await chatHas()).toEqual(["auto", "small"]);
  await act(async () => void fireEvent.change(chosen(), { target: { value: "GPT:large" } }));
  expect(inMenus("large")).toMatchObject({ checked: true, disabled: true });
  expect(await chatHas()).toEqual(["GPT:large", "small,large"]);
  await flip("sonnet");
  expect(await chatHas()).toEqual(["GPT:large", "small,large,sonnet"]);
});

test("all models are shown in menus, or none but the chosen one", async () => {
  await open();
  expect(screen.queryByRole("searchbox")).toBeNull();
  await act(async () => void fireEvent.change(chosen(), { target: { value: "GPT:large" } }));
  await press("Show none");
  expect(await chatHas()).toEqual(["GPT:large", "large"]);
  expect(screen.getByText("In menus: 1 of 3")).toBeTruthy();
  await act(async () => void fireEvent.change(chosen(), { target: { value: "auto" } }));
  expect(await chatHas()).toEqual(["auto", "large"]);
  await press("Show all in menus");
  expect(await chatHas()).toEqual(["auto", "small,large,sonnet"]);
});

test("a long list of models has a filter, and the buttons act on the models that match it", async () => {
  const many = Array.from({ length: 9 }, (_, at) => ({
    label: `open ${at}`,
    value: `LOCAL:open-${at}`,
    available: true,
  }));
  await open([...groups, { label: "Local", models: many }]);
  type("Filter models", "OPEN");
  expect(screen.queryByRole("region", { name: "GPT" })).toBeNull();
  await press("Show none");
  type("Filter models", "open 3");
  expect(screen.getAllByRole("switch")).toHaveLength(1);
  await press("Show all in menus");
  type("Filter models", "nothing like it");
  expect(screen.getByRole("status").textContent).toBe("No model has this name.");
  expect(screen.queryByRole("switch")).toBeNull();
  type("Filter models", "");
  expect(screen.getByText("In menus: 4 of 12")).toBeTruthy();
  expect([inMenus("small").checked, inMenus("open 2").checked, inMenus("open 3").checked]).toEqual([true, false, true]);
});

test("a connection with hundreds of models shows them in steps, and the filter finds the others", async () => {
  const many = Array.from({ length: 120 }, (_, at) => ({ label: `open ${at}`, value: `OPEN:${at}`, available: true }));
  await open([...groups, { label: "Router", models: many }]);
  expect(screen.getAllByRole("switch")).toHaveLength(53);
  await press("Show more (50 of 120 shown)");
  expect(screen.getAllByRole("switch")).toHaveLength(103);
  type("Filter models", "119 router");
  expect(inMenus("open 119").checked).toBe(true);
  await press("Show none");
  expect(screen.getByText("In menus: 122 of 123")).toBeTruthy();
});

test("the default model is chosen from a list that can be searched if there are many", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const many = Array.from({ length: 120 }, (_, at) => ({ label: `open ${at}`, value: `OPEN:${at}`, available: true }));
  await open([...groups, { label: "Router", models: many }]);
  await press("Model for new chats: Automatic");
  const field = await screen.findByRole("combobox", { name: "Search models" });
  fireEvent.change(field, { target: { value: "119" } });
  await act(async () => void fireEvent.keyDown(field, { key: "Enter" }));
  expect(screen.getByRole("button", { name: "Model for new chats: open 119" })).toBeTruthy();
  expect((await chatHas())[0]).toBe("OPEN:119");
});

test("what a model can do is named in words", async () => {
  const able = { images: true, pdf: true, tools: true, efforts: ["low"], price: { input: 0, output: 0 } };
  await open([{ label: "GPT", models: [{ label: "able", value: "GPT:able", available: true, ...able }] }]);
  expect(inMenus("able").closest("li")?.textContent).toBe("ablepictures · PDF files · tools · reasoning · free");
});

test("without any configured model, the page explains which model answers", async () => {
  await open(
    groups.map((group) => ({ ...group, models: group.models.map((each) => ({ ...each, available: false })) })),
  );
  expect(screen.getByText(/The built-in demo answers/)).toBeDefined();
});

test("a choice that the server does not list stays chosen, and is marked", async () => {
  localStorage.setItem(`model:${ada.id}`, "GPT:gone");
  localStorage.setItem(`model:${ada.id}:hidden`, '{"not":"a list"}');
  await open();
  expect([chosen().value, chosen().selectedOptions[0]?.text]).toEqual(["GPT:gone", "gone (no longer available)"]);
  expect(inMenus("small").checked).toBe(true);
});
