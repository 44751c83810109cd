import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModelGroup } from "#contract/models/models.ts";
import { signIn } from "../accounts/session/session.ts";
import presets from "../locales/en/presets.json";
import { registerTexts } from "../locales/i18n.ts";
import { ada, fakeApi, tokenFor } from "../testing/fakes/fake-api.ts";
import { Landmark } from "../ui/components/landmark.tsx";
import { PresetDialog } from "./preset-dialog.tsx";

registerTexts("presets", presets);

beforeEach(() => {
  localStorage.clear();
  fakeApi({ "GET /tools": { json: { groups: [] } } });
  signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
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

const many: ModelGroup = {
  label: "Router",
  models: Array.from({ length: 700 }, (_, at) => ({ label: `m-${at}`, value: `ROUTER:m-${at}`, available: true })),
};
const cellar: ModelGroup = { label: "Cellar", unreachable: "CELLAR:", models: [] };
const tutor = { name: "Tutor", instructions: "Teach.", temperature: null };

function openDialog(model: string | null, groups: ModelGroup[] = [many, cellar]) {
  const onSave = vi.fn(async () => undefined);
  const onClose = vi.fn();
  const edited = { id: "p", ...tutor, model };
  render(
    <Landmark as="main">
      <PresetDialog edited={edited} groups={groups} onClose={onClose} onSave={onSave} />
    </Landmark>,
  );
  return { onSave, onClose };
}
const button = (name: string) => screen.findByRole("button", { name });
const openList = async (name: string) => {
  const trigger = await button(name);
  await act(async () => void fireEvent.click(trigger));
  await screen.findByRole("listbox", { name: "Models" });
};
const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Search models" });
const press = (key: string) => act(async () => void fireEvent.keyDown(field(), { key }));
const save = () => act(async () => void fireEvent.click(screen.getByRole("button", { name: "Save" })));

test("the model of a preset is chosen by keys from a searched list of 700, of which few are rendered", async () => {
  const { onSave, onClose } = openDialog(null);
  expect(document.querySelectorAll("option").length).toBeLessThan(20);
  await openList("Model: The model chosen in the chat");
  expect(screen.getByRole("option", { selected: true }).textContent).toBe("The model chosen in the chat");
  expect(screen.getAllByRole("option").length).toBeLessThan(50);
  fireEvent.change(field(), { target: { value: "m-699" } });
  await press("Enter");
  expect(screen.queryByRole("listbox")).toBeNull();
  const chosen = await button("Model: m-699");
  await waitFor(() => expect(document.activeElement).toBe(chosen));
  await save();
  expect(onSave).toHaveBeenCalledWith(expect.anything(), { model: "ROUTER:m-699" });
  expect(onClose).not.toHaveBeenCalled();
});

test("the first entry takes a preset's model away, and Escape closes the list only", async () => {
  const { onSave, onClose } = openDialog("ROUTER:m-3");
  await openList("Model: m-3");
  await press("Escape");
  expect(screen.queryByRole("listbox")).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  await openList("Model: m-3");
  await press("Home");
  await press("Enter");
  await button("Model: The model chosen in the chat");
  await save();
  expect(onSave).toHaveBeenCalledWith(expect.anything(), { model: null });
});

test.each([
  ["CELLAR:mistral", "mistral (does not answer now)", "mistraldoes not answer now"],
  ["GPT:forbidden", "forbidden (no longer available)", "forbiddenno longer available"],
])("a preset keeps the model %s, and says that it cannot be used", async (value, name, row) => {
  const { onSave } = openDialog(value);
  await openList(`Model: ${name}`);
  expect(screen.getByRole("option", { selected: true }).textContent).toBe(row);
  await press("Escape");
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Teacher" } });
  await save();
  expect(onSave).toHaveBeenCalledWith(expect.anything(), { name: "Teacher" });
});

test("a model that is chosen for a preset is not among the last used ones, and pinned models are first", async () => {
  localStorage.setItem(`model:${ada.id}:pinned`, JSON.stringify(["ROUTER:m-500"]));
  openDialog("ROUTER:m-3");
  await openList("Model: m-3");
  expect(screen.getByRole("group", { name: "Pinned" }).textContent).toContain("m-500");
  fireEvent.change(field(), { target: { value: "m-77" } });
  await press("Enter");
  expect(localStorage.getItem(`model:${ada.id}:recent`)).toBeNull();
});

test("few models are in a native select with its label", async () => {
  const { onSave } = openDialog("GPT:old", [{ label: "Router", models: many.models.slice(0, 3) }]);
  const select = screen.getByRole<HTMLSelectElement>("combobox", { name: "Model" });
  expect(select).toBe(screen.getByLabelText("Model"));
  expect([...select.options].map(({ text }) => text)).toEqual([
    "The model chosen in the chat",
    ...["m-0", "m-1", "m-2", "old (no longer available)"],
  ]);
  fireEvent.change(select, { target: { value: "ROUTER:m-1" } });
  await save();
  expect(onSave).toHaveBeenCalledWith(expect.anything(), { model: "ROUTER:m-1" });
});
