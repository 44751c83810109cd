import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { Query } from "../queries/query.ts";
import "../testing/english-texts.ts";
import { ModelChoice } from "./model-choice.ts";
import ModelOptions from "./model-options.tsx";

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const items = () => screen.getAllByRole("menuitemradio").map(({ textContent }) => textContent);

async function open(models: ModelGroup[]) {
  const choice = new ModelChoice("1", new Query(async () => models));
  await choice.load();
  render(
    <MemoryRouter>
      <ModelOptions choice={choice} trigger={<button type="button">Model</button>} isByKey={false} />
    </MemoryRouter>,
  );
  await screen.findByText("gpt-5");
  return items();
}

test("the menu of models marks the group's default model, and opens a section of models without a key", async () => {
  const group = (label: string, value: string, rest: Partial<ModelOption>): ModelGroup => ({
    label,
    models: [{ label: value, value: `${label}:${value}`, available: true, ...rest }],
  });
  const shown = await open([
    group("GPT", "gpt-5", { default: true }),
    group("CLAUDE", "claude", { available: false }),
    group("LOCAL", "llama", {}),
    { ...group("OTHER", "qwen", { available: false, unreachable: true }), unreachable: "OTHER:" },
  ]);
  expect(shown.slice(1)).toEqual(["gpt-5Default of your group", "llama", "qwendoes not answer now"]);
  const section = screen.getByRole("menuitem", { name: /^Not set up/, expanded: false });
  fireEvent.click(section);
  expect(section.getAttribute("aria-expanded")).toBe("true");
  expect(items().at(-1)).toBe("claudeCLAUDE · not set up");
});

test("the menu of models lists models without a key in their groups until another model works", async () => {
  const models = ["gpt-5", "gpt-6"].map((label) => ({ label, value: `GPT:${label}`, available: false }));
  expect((await open([{ label: "GPT", models }])).slice(1)).toEqual(["gpt-5not set up", "gpt-6not set up"]);
});

test("the menu of models keeps the chosen model that the server does not list", async () => {
  localStorage.setItem("model:1", "LOCAL:llama");
  const openai: ModelGroup = { label: "GPT", models: [{ label: "gpt-5", value: "GPT:gpt-5", available: true }] };
  expect(await open([openai, { label: "Local", unreachable: "LOCAL:", models: [] }])).toContain(
    "llamadoes not answer now",
  );
  expect(screen.getByRole("menuitemradio", { checked: true }).textContent).toMatch(/llama/);
});
