import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import {
  type Connection,
  type ConnectionModel,
  defaultConnectionSettings,
} from "#contract/administration/connections.ts";
import { type FakeAnswer, problem } from "../../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../../testing/open-administration.tsx";
import { eachTestAlone, field, noteOf, press, type } from "../../../testing/open-settings.tsx";

eachTestAlone();

const MODELS = "GET /admin/connections/HOME/models";
const CHANGE = "PATCH /admin/connections/HOME/models";
const home = (offer: Connection["settings"]["offer"]): Connection => ({
  ...{ slug: "HOME", name: "At home", kind: "ollama", baseUrl: "http://127.0.0.1:11434/v1", keyEnd: null, headers: [] },
  ...{ isFixed: false, isEnabled: true, isUnreadable: false },
  settings: { ...defaultConnectionSettings, offer },
  list: { state: "there", at: 1, offered: 3, all: 3 },
});
const model = (name: string, more: Partial<ConnectionModel> = {}): ConnectionModel => ({
  name,
  value: `HOME:${name}`,
  facts: {},
  overrides: {},
  isListed: true,
  isOffered: true,
  ...more,
});
const known = { contextTokens: 131_072, images: true, tools: false, reasoning: true, price: { input: 0.5, output: 2 } };

type Answers = Record<string, FakeAnswer | readonly FakeAnswer[]>;

async function open(models: ConnectionModel[], answers: Answers = {}, offer: Connection["settings"]["offer"] = "all") {
  const calls = await openAdministration("connections", {
    "GET /admin/connections": { json: { connections: [home(offer)], automatic: null } },
    "GET /models": { json: [] },
    [MODELS]: { json: { models } },
    ...answers,
  });
  await act(
    async () => void fireEvent.keyDown(screen.getByRole("button", { name: "More: At home" }), { key: "Enter" }),
  );
  await act(async () => fireEvent.click(screen.getByRole("menuitem", { name: "Models" })));
  // The action runs in a task of its own, once the menu has closed, and then the models are read.
  await screen.findByRole("button", { name: /^(?:Add model|Try again)$/ });
  return () => calls.filter(({ method }) => method === "PATCH").map(({ body }) => body);
}
const line = (name: string) => {
  const item = screen.getByText(name).closest("li");
  if (!item) throw new Error(`No model is called ${name}`);
  return item;
};
const lines = () => within(screen.getByRole("list", { name: "Models of At home" })).getAllByRole("listitem");

test("a model shows what is known of it, and what is not known can be entered", async () => {
  await open([
    model("qwen3", { facts: known }),
    model("new", { facts: { tools: true }, overrides: { label: "New one" } }),
  ]);
  expect(line("qwen3").textContent).toContain(
    "Window 131,072 · Pictures · No tools · Reasoning · $0.50 in, $2.00 out per million tokens",
  );
  expect(line("qwen3").textContent).not.toContain("Not known");
  expect(line("New one").textContent).toMatch(/New one · newTools.*Not known: window, pictures, price\. Enter it/);
  await press("Enter it: new");
  expect(field("Label").value).toBe("New one");
});

test("entered facts replace the earlier ones, and all others stay", async () => {
  const before = model("qwen3", { facts: known, overrides: { efforts: ["low"], maxOutputTokens: 900 } });
  const after = model("qwen3", { facts: known, overrides: { contextTokens: 8192 } });
  const sent = await open([before], { [CHANGE]: [problem(503, "unavailable"), { json: { models: [after] } }] });
  await press("Edit model: qwen3");
  expect(field("Window in tokens").placeholder).toBe("131072");
  type("Window in tokens", "12");
  type("Input, US dollars per million tokens", "0,25");
  await press("Save");
  expect(noteOf("Window in tokens")).toBe("Window is not valid");
  expect(noteOf("Output, US dollars per million tokens")).toBe("Price of output is required");
  type("Window in tokens", "8 192");
  type("Output, US dollars per million tokens", "1.5");
  type("Longest answer in tokens", "");
  fireEvent.change(screen.getByLabelText("Pictures"), { target: { value: "no" } });
  await press("Save");
  expect(screen.getByRole("alert")).toBeTruthy();
  await press("Save");
  const overrides = { efforts: ["low"], contextTokens: 8192, images: false, price: { input: 0.25, output: 1.5 } };
  expect(sent()).toEqual(Array(2).fill({ changes: [{ name: "qwen3", overrides }] }));
  expect(line("qwen3").textContent).toContain("Window 8,192");
});

test("efforts and prices of the cache are behind a button, which an error opens", async () => {
  const before = model("qwen3", { facts: { ...known, efforts: ["low", "high"] } });
  const sent = await open([before], { [CHANGE]: { json: { models: [before] } } });
  await press("Edit model: qwen3");
  const more = screen.getAllByRole("button", { name: "More" }).at(-1);
  expect(more?.getAttribute("aria-expanded")).toBe("false");
  expect(field("Efforts of reasoning").placeholder).toBe("low, high");
  type("Efforts of reasoning", "High, none");
  type("Input from the cache, US dollars per million tokens", "0.05");
  await press("Save");
  expect(more?.getAttribute("aria-expanded")).toBe("true");
  expect(noteOf("Efforts of reasoning")).toBe("Efforts is not valid");
  expect(noteOf("Input, US dollars per million tokens")).toBe("Price of input is required");
  type("Efforts of reasoning", "High, low");
  type("Input, US dollars per million tokens", "0.5");
  type("Output, US dollars per million tokens", "2");
  await press("Save");
  const overrides = { price: { input: 0.5, output: 2, cacheRead: 0.05 }, efforts: ["low", "high"] };
  expect(sent()).toEqual([{ changes: [{ name: "qwen3", overrides }] }]);
});

test("emptied facts are removed", async () => {
  const sent = await open([model("qwen3", { overrides: { contextTokens: 8192 } })], {
    [CHANGE]: { json: { models: [] } },
  });
  await press("Edit model: qwen3");
  type("Window in tokens", "");
  await press("Save");
  expect(sent()).toEqual([{ changes: [{ name: "qwen3", overrides: null }] }]);
});

test("models that cannot chat stand apart, and an owner can offer one after all", async () => {
  const embedding = model("nomic", { facts: { purpose: "embedding" }, isOffered: false });
  const sent = await open([model("qwen3"), embedding], { [CHANGE]: { json: { models: [] } } });
  expect(lines()).toHaveLength(1);
  expect(screen.getByText("Not chat models: 1")).toBeTruthy();
  expect(line("nomic").textContent).toContain("Embeddings");
  await press("Edit model: nomic");
  await act(async () => screen.getByRole("checkbox", { name: "This model can chat" }).click());
  await press("Save");
  expect(sent()).toEqual([{ changes: [{ name: "nomic", overrides: { isChat: true } }] }]);
});

test("two thousand models are rendered by fifties, and searched by name and label", async () => {
  const models = Array.from({ length: 2000 }, (_, at) =>
    model(`m-${at}`, at === 1999 ? { overrides: { label: "Last" } } : {}),
  );
  await open(models);
  expect(lines()).toHaveLength(50);
  await press("Show more (1950 left)");
  expect(lines()).toHaveLength(100);
  fireEvent.input(field("Search models"), { target: { value: "last" } });
  expect(await screen.findByText("Last")).toBeTruthy();
  expect(lines()).toHaveLength(1);
  fireEvent.input(field("Search models"), { target: { value: "nowhere" } });
  expect(await screen.findByText("No models")).toBeTruthy();
});

test("a model has a switch if an owner chooses the offered ones", async () => {
  const chosen = model("qwen3", { isOffered: true });
  const sent = await open(
    [model("qwen3", { isOffered: false })],
    { [CHANGE]: { json: { models: [chosen] } } },
    "chosen",
  );
  const offer = () => screen.getByRole<HTMLInputElement>("switch", { name: "Offer: qwen3" });
  expect(offer().checked).toBe(false);
  await act(async () => offer().click());
  expect(offer().checked).toBe(true);
  expect(sent()).toEqual([{ changes: [{ name: "qwen3", isOffered: true }] }]);
});

test("a model is added by its name, and removed again", async () => {
  const added = model("sonar", { isListed: false });
  const sent = await open([], { [CHANGE]: [{ json: { models: [added] } }, { json: { models: [] } }] });
  await press("Add model");
  expect(noteOf("Add a model by its name")).toBe("Name is required");
  type("Add a model by its name", " sonar ");
  await press("Add model");
  expect(line("sonar").textContent).toContain("Not in the server’s list");
  await press("Remove model: sonar");
  expect(screen.getByText("No models")).toBeTruthy();
  expect(sent()).toEqual([{ changes: [{ name: "sonar" }] }, { changes: [{ name: "sonar", isRemoved: true }] }]);
});

test("models that cannot be read can be requested again", async () => {
  await open([], { [MODELS]: [problem(503, "unavailable"), { json: { models: [model("qwen3")] } }] });
  await press("Try again");
  expect(lines()).toHaveLength(1);
});
