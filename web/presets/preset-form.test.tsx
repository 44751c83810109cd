import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModelGroup } from "#contract/models.ts";
import presets from "../locales/en/presets.json";
import { registerTexts } from "../locales/i18n.ts";
import { PresetForm } from "./preset-form.tsx";

registerTexts("presets", presets);

const model = (label: string) => ({ label, value: `GPT:${label}`, available: true });
const groups: ModelGroup[] = [
  {
    label: "GPT",
    models: [
      { ...model("wide"), efforts: ["off", "low"] },
      { ...model("mini"), efforts: ["minimal", "low"] },
      model("nano"),
    ],
  },
];

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const field = (label: string) => screen.queryByLabelText<HTMLSelectElement>(label);
const select = (label: string, value: string) => {
  const control = field(label);
  if (!control) throw new Error(`No field ${label}`);
  fireEvent.change(control, { target: { value } });
};

test("the form of a preset has no effort for a model without any, and names the nearest one otherwise", () => {
  const blank = { name: "Quick", instructions: "", model: null, temperature: null };
  render(<PresetForm place="new" initial={blank} groups={groups} onCancel={vi.fn()} onSave={vi.fn()} />);
  expect(field("Thinking effort")?.value).toBe("");
  select("Model", "GPT:nano");
  expect(field("Thinking effort")).toBeNull();
  select("Model", "GPT:wide");
  select("Thinking effort", "off");
  expect(screen.queryByText(/has no effort/)).toBeNull();
  select("Model", "GPT:mini");
  expect(screen.getByText("mini has no effort “Off” and uses “Minimal”.")).toBeTruthy();
});
