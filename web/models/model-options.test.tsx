import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { Query } from "../queries/query.ts";
import "../testing/english-texts.ts";
import { ModelChoice } from "./model-choice.ts";
import ModelOptions from "./model-options.tsx";

beforeEach(() => localStorage.clear());
afterEach(cleanup);

async function open(models: ModelGroup[]) {
  const choice = new ModelChoice("1", new Query(async () => models));
  await choice.load();
  render(
    <MemoryRouter>
      <ModelOptions choice={choice} trigger={<button type="button">Model</button>} isByKey={false} />
    </MemoryRouter>,
  );
  await screen.findByText("gpt-5");
  return screen.getAllByRole("menuitemradio").map(({ textContent }) => textContent);
}

test("the menu of models marks the group's default model and models without a key", async () => {
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
  expect(shown.slice(1)).toEqual([
    "gpt-5Default of your group",
    "claudenot set up",
    "llama",
    "qwendoes not answer now",
  ]);
});

test("the menu of models keeps the chosen model that the server does not list", async () => {
  localStorage.setItem("model:1", "LOCAL:llama");
  const openai: ModelGroup = { label: "GPT", models: [{ label: "gpt-5", value: "GPT:gpt-5", available: true }] };
  expect(await open([openai, { label: "Local", unreachable: "LOCAL:", models: [] }])).toContain(
    "llamadoes not answer now",
  );
  expect(screen.getByRole("menuitemradio", { checked: true }).textContent).toMatch(/llama/);
});
