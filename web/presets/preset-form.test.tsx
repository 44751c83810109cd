import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModelGroup } from "#contract/models/models.ts";
import { signIn } from "../accounts/session/session.ts";
import presets from "../locales/en/presets.json";
import { registerTexts } from "../locales/i18n.ts";
import { ada, fakeApi, tokenFor } from "../testing/fakes/fake-api.ts";
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

beforeEach(() => {
  localStorage.clear();
  fakeApi({ "GET /tools": { json: { groups: [{ slug: "chats" }, { slug: "basics" }] } } });
});
afterEach(cleanup);

const field = (label: string) => screen.queryByLabelText<HTMLSelectElement>(label);
const select = (label: string, value: string) => {
  const control = field(label);
  if (!control) throw new Error(`No field ${label}`);
  fireEvent.change(control, { target: { value } });
};

const entered = { name: "Tutor", instructions: "Teach.", model: null, temperature: 0.5, effort: null };
const shownForm = (initial: typeof entered, onSave: () => Promise<void>) => (
  <PresetForm draftKey="p" initial={initial} groups={groups} onCancel={vi.fn()} onSave={onSave} />
);
const typeName = (value: string) => fireEvent.change(screen.getByLabelText("Name"), { target: { value } });

test("the form of a preset gives the changed fields only, also if the preset was changed elsewhere meanwhile", async () => {
  const onSave = vi.fn(async () => undefined);
  const { rerender } = render(shownForm(entered, onSave));
  rerender(shownForm({ ...entered, instructions: "Teach patiently." }, onSave));
  typeName("Teacher");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(onSave).toHaveBeenCalledWith(expect.anything(), { name: "Teacher" }));
});

test("an unsaved preset has its changed fields only, so that it keeps later changes of the others", async () => {
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  const onSave = vi.fn(async () => undefined);
  const { unmount } = render(shownForm(entered, onSave));
  typeName("Teacher");
  unmount();
  render(shownForm({ ...entered, instructions: "Teach patiently." }, onSave));
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Teacher");
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Instructions/).value).toBe("Teach patiently.");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(onSave).toHaveBeenCalledWith(expect.anything(), { name: "Teacher" }));
});

test("the form of a preset has no effort for a model without any, and names the nearest one otherwise", () => {
  const blank = { name: "Quick", instructions: "", model: null, temperature: null };
  render(<PresetForm draftKey="new" initial={blank} groups={groups} onCancel={vi.fn()} onSave={vi.fn()} />);
  expect(field("Thinking effort")?.value).toBe("");
  select("Model", "GPT:nano");
  expect(field("Thinking effort")).toBeNull();
  select("Model", "GPT:wide");
  select("Thinking effort", "off");
  expect(screen.queryByText(/has no effort/)).toBeNull();
  select("Model", "GPT:mini");
  expect(screen.getByText("mini has no effort “Off” and uses “Minimal”.")).toBeTruthy();
});

test("the form of a preset chooses tools; one that cannot be used now stays until it is removed", async () => {
  const onSave = vi.fn(async () => undefined);
  const initial = { ...entered, tools: ["web"] };
  render(<PresetForm draftKey="p" initial={initial} groups={groups} onCancel={vi.fn()} onSave={onSave} />);
  fireEvent.click(await screen.findByRole("checkbox", { name: "Calculator and time" }));
  expect(screen.getByRole("group", { name: "Tools" }).textContent).toContain(
    "Search the webNot available at the moment",
  );
  const save = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));
  save();
  await vi.waitFor(() => expect(onSave).toHaveBeenLastCalledWith(expect.anything(), { tools: ["basics", "web"] }));
  fireEvent.click(screen.getByRole("checkbox", { name: "Calculator and time" }));
  fireEvent.click(screen.getByRole("checkbox", { name: "Search the web" }));
  await vi.waitFor(() => save());
  await vi.waitFor(() => expect(onSave).toHaveBeenLastCalledWith(expect.anything(), { tools: null }));
});
