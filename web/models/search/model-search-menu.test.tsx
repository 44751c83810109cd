import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { Query } from "../../queries/query.ts";
import "../../testing/english-texts.ts";
import { ModelChoice } from "../model-choice.ts";
import { ModelMenu } from "../model-menu.tsx";

const pointer = { isCoarse: false };

beforeEach(() => {
  localStorage.clear();
  pointer.isCoarse = false;
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: pointer.isCoarse && query === "(pointer: coarse)" }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const model = (connection: string, label: string, rest: Partial<ModelOption> = {}): ModelOption => ({
  label,
  value: `${connection}:${label}`,
  available: true,
  ...rest,
});
const gpt = { label: "GPT", models: [model("GPT", "gpt-5", { default: true }), model("GPT", "gpt-5-mini")] };
const claude = {
  label: "Antropic",
  models: ["Sonnet 4", "Sonnet 4.5"].map((label) => model("CLAUDE", label, { available: false })),
};
const home = {
  label: "Ollama at home",
  models: [model("HOME", "llama3"), model("HOME", "qwen3", { contextTokens: 4096, tools: true })],
};
const unreachable = {
  label: "Cellar",
  unreachable: "CELLAR:",
  models: [model("CELLAR", "llama3", { available: false, unreachable: true })],
};
const router = (count: number): ModelGroup => ({
  label: "OpenRouter",
  models: Array.from({ length: count }, (_, at) => model("ROUTER", `vendor/model-${at}`)),
});
const several: ModelGroup[] = [gpt, claude, home, unreachable, router(20)];

/** Opens the menu of a person; `stored` are the person's own choices by the end of their key. */
async function open(models: ModelGroup[] = several, stored: Record<string, unknown> = {}) {
  for (const [key, value] of Object.entries(stored)) {
    localStorage.setItem(`model:ada${key}`, typeof value === "string" ? value : JSON.stringify(value));
  }
  const choice = new ModelChoice("ada", new Query(async () => models));
  await choice.load();
  render(
    <MemoryRouter>
      <ModelMenu choice={choice} />
    </MemoryRouter>,
  );
  await reopen();
  return choice;
}

async function reopen() {
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: /^Model: / })));
  await screen.findByRole("listbox", { name: "Models" });
}

const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Search models" });
const search = (words: string) => fireEvent.change(field(), { target: { value: words } });
const press = (key: string, options: object = {}) =>
  act(async () => void fireEvent.keyDown(field(), { key, ...options }));
const options = () => screen.getAllByRole("option").map(({ textContent }) => textContent);
/** Names of the rendered options by their section. */
const sections = () =>
  Object.fromEntries(
    screen
      .getAllByRole("group")
      .map((group) => [
        group.getAttribute("aria-label"),
        [...group.querySelectorAll("[role=option] > span > bdi:first-child")].map(({ textContent }) => textContent),
      ]),
  );
const active = () => document.getElementById(field().getAttribute("aria-activedescendant") ?? "")?.textContent;

test("a search finds models by words of name, connection and value, in any order, case and accent", async () => {
  await open([{ label: "Zürich", models: [model("Z", "Père-large")] }, ...several]);
  search("LARGE zurich");
  expect(options()).toEqual([expect.stringMatching(/^Père-large/)]);
  search("pere");
  expect(options()).toEqual([expect.stringMatching(/^Père-large/)]);
  search("router: model-19");
  expect(options()).toEqual([expect.stringMatching(/^vendor\/model-19/)]);
  expect(screen.getByRole("status").textContent).toBe("1 model");
  search("no such thing");
  expect(screen.queryByRole("option")).toBeNull();
  expect(screen.getByRole("status").textContent).toBe("No model has this name or connection.");
  search("");
  expect(options()[0]).toBe("AutomaticChooses for you");
});

test("a short list of models stays a menu without a search", async () => {
  const choice = new ModelChoice("ada", new Query(async () => [gpt, home]));
  await choice.load();
  render(
    <MemoryRouter>
      <ModelMenu choice={choice} />
    </MemoryRouter>,
  );
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: /^Model: / })));
  expect(await screen.findAllByRole("menuitemradio")).toHaveLength(5);
  expect(screen.queryByRole("combobox")).toBeNull();
});

test("models are listed once each: pinned, last used, then by connection", async () => {
  await open(several, {
    ":pinned": ["HOME:qwen3", "GONE:x"],
    ":recent": ["GPT:gpt-5", "HOME:qwen3"],
    "": "ROUTER:vendor/model-3",
  });
  const shown = sections();
  expect(shown).toMatchObject({
    Pinned: ["qwen3"],
    "Last used": ["vendor/model-3", "gpt-5"],
    GPT: ["gpt-5-mini"],
    "Ollama at home": ["llama3"],
    Cellar: ["llama3"],
  });
  expect(shown.OpenRouter).not.toContain("vendor/model-3");
  expect(screen.getByRole("option", { name: /^qwen3/ }).textContent).toContain("Ollama at home");
});

test("a model is pinned by a press on its row, by Shift+Enter and by the button below, and stays so", async () => {
  await open();
  const row = screen.getByRole("option", { name: /^gpt-5-mini/ });
  const pin = row.parentElement?.querySelector("button") as HTMLButtonElement;
  fireEvent.click(pin);
  expect(sections().Pinned).toEqual(["gpt-5-mini"]);
  search("qwen3");
  await press("Enter", { shiftKey: true });
  fireEvent.click(screen.getByRole("button", { name: "Unpin qwen3" }));
  fireEvent.click(screen.getByRole("button", { name: "Pin qwen3" }));
  await press("Escape");
  await reopen();
  expect(sections().Pinned).toEqual(["gpt-5-mini", "qwen3"]);
  search("gpt-5-mini");
  await press("Enter", { shiftKey: true });
  search("");
  expect(sections().Pinned).toEqual(["qwen3"]);
});

test("the models that were chosen are last used when the list is opened again", async () => {
  const choice = await open();
  search("model-7");
  await press("Enter");
  expect(choice.current().value).toBe("ROUTER:vendor/model-7");
  await act(async () => choice.choose("HOME:llama3"));
  await reopen();
  expect(sections()["Last used"]).toEqual(["llama3", "vendor/model-7"]);
  await act(async () => choice.forget());
  expect(localStorage.getItem("model:ada:recent")).toBeNull();
});

test("models that are not set up are last in a closed section, which a press opens and a search looks into", async () => {
  await open();
  await press("End");
  const fold = screen.getByRole("option", { name: "Not set up: show 2 models" });
  expect(screen.getAllByRole("option").at(-1)).toBe(fold);
  expect(screen.queryByRole("option", { name: /^Sonnet/ })).toBeNull();
  fireEvent.click(fold);
  expect(sections()["Not set up"]).toEqual(["Sonnet 4", "Sonnet 4.5"]);
  expect(options().at(-1)).toBe("Sonnet 4.5Antropic · not set up");
  await press("End");
  await press("ArrowUp");
  await press("ArrowUp");
  await press("Enter");
  expect(screen.queryByRole("option", { name: /^Sonnet/ })).toBeNull();
  search("sonnet");
  expect(sections()).toEqual({ "Not set up": ["Sonnet 4", "Sonnet 4.5"] });
});

test("a chosen model that is not set up is visible, in the opened section", async () => {
  await open(several, { "": "CLAUDE:Sonnet 4" });
  expect(screen.getByRole("option", { selected: true }).textContent).toMatch(/^Sonnet 4Antropic/);
});

test("a model of a connection that is away stays listed, chosen and marked, and one that is gone too", async () => {
  await open(several, { "": "CELLAR:mistral" });
  expect(screen.getByRole("option", { selected: true }).textContent).toBe("mistralCellar · does not answer now");
  cleanup();
  await open(several, { "": "GPT:old" });
  expect(screen.getByRole("option", { selected: true }).textContent).toBe(
    "oldNot on this server · no longer available",
  );
});

test("two models of one name are told apart by their connection, in the list and on the button", async () => {
  const choice = await open();
  search("llama3");
  expect(sections()).toEqual({ "Ollama at home": ["llama3"], Cellar: ["llama3"] });
  await press("ArrowDown");
  await press("Enter");
  expect(choice.current().value).toBe("CELLAR:llama3");
  expect(screen.getByRole("button", { name: "Model: llama3 · Cellar" })).toBeTruthy();
  await act(async () => choice.choose("GPT:gpt-5-mini"));
  expect(screen.getByRole("button", { name: "Model: gpt-5-mini" })).toBeTruthy();
});

test("facts are signs with a description in words, and an unknown fact has no sign", async () => {
  const facts: Partial<ModelOption> = {
    images: true,
    tools: true,
    reasoning: true,
    contextTokens: 131_072,
    price: { input: 3, output: 15 },
  };
  const free = { contextTokens: 1_000_000, price: { input: 0, output: 0 } };
  await open([{ label: "Known", models: [model("K", "seer", facts), model("K", "gift", free)] }, ...several]);
  const option = (name: RegExp) => screen.getByRole("option", { name });
  const words = (name: RegExp) =>
    document.getElementById(option(name).getAttribute("aria-describedby") ?? "")?.textContent;
  expect(words(/^seer/)).toBe("pictures, tools, reasoning, 131,072 tokens of context, $3.00 in, $15.00 out");
  expect(option(/^seer/).textContent).toContain("128k$3 / $15");
  expect(option(/^seer/).querySelectorAll("svg")).toHaveLength(3);
  expect(option(/^gift/).textContent).toContain("1Mfree");
  expect(option(/^gpt-5-mini/).textContent).toBe("gpt-5-mini");
});

test("keys move through the list from the field, Enter chooses, Escape closes, and the button has the focus again", async () => {
  const choice = await open();
  await waitFor(() => expect(document.activeElement).toBe(field()));
  expect(active()).toMatch(/^Automatic/);
  await press("ArrowDown");
  expect(active()).toMatch(/^gpt-5Default of your group/);
  await press("End");
  expect(active()).toMatch(/^Not set up/);
  await press("PageUp");
  expect(active()).toMatch(/^vendor\/model-12/);
  await press("PageDown");
  await press("Home");
  expect(active()).toMatch(/^Automatic/);
  await press("Escape");
  expect(screen.queryByRole("listbox")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Model: Automatic" })));
  await reopen();
  search("mini");
  await press("Enter", { isComposing: true });
  expect(choice.current().value).toBe("auto");
  await press("Enter");
  expect(choice.current().value).toBe("GPT:gpt-5-mini");
  expect(screen.queryByRole("listbox")).toBeNull();
});

test("a finger opens the list without the keyboard of the screen", async () => {
  pointer.isCoarse = true;
  await open();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("listbox")));
});

test("a list of 700 models renders a bounded number of rows, also after a step to its end", async () => {
  await open([...several, { ...router(700), label: "Other router" }]);
  const rendered = () => screen.getAllByRole("option").length;
  expect(rendered()).toBeLessThan(50);
  await press("End");
  await press("ArrowUp");
  expect(active()).toMatch(/^vendor\/model-699/);
  expect(rendered()).toBeLessThan(50);
  const last = document.getElementById(field().getAttribute("aria-activedescendant") ?? "");
  expect([last?.getAttribute("aria-posinset"), last?.getAttribute("aria-setsize")]).toEqual(["726", "727"]);
});
