import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { defaultConnectionSettings } from "#contract/administration/connections.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { type FakeAnswer, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { done, eachTestAlone, press } from "../../testing/open-settings.tsx";
import { currentNotifications } from "../../ui/notifications/notify.ts";

eachTestAlone();

const SAVE = "PUT /admin/connections/automatic";
const home = {
  ...{
    slug: "HOME",
    name: "At home",
    kind: "openai",
    baseUrl: "https://llm.example.org/v1",
    keyEnd: null,
    headers: [],
  },
  ...{ isFixed: false, isEnabled: true, isUnreadable: false, settings: defaultConnectionSettings },
  list: { state: "there", offered: 3, all: 3 },
};
const option = (value: string, more: object = {}) => ({ label: value.slice(5), value, available: true, ...more });
const groups = [
  {
    label: "At home",
    models: [option("HOME:b", { automatic: 1 }), option("HOME:a", { automatic: 0 }), option("HOME:c")],
  },
];

type Answers = FakeAnswer | readonly FakeAnswer[];

async function open(automatic: string[] | null, answer: Answers = done, listed: readonly ModelGroup[] = groups) {
  const calls = await openAdministration("connections", {
    "GET /admin/connections": { json: { connections: [home], automatic } },
    "GET /models": { json: listed },
    [SAVE]: answer,
  });
  return () => calls.filter(({ method }) => method === "PUT").map(({ body }) => body);
}
const order = () =>
  within(screen.getByRole("list", { name: "Automatic choice" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

test("the default order is shown, and becomes an own one by a change", async () => {
  const sent = await open(null, [problem(503, "unavailable"), done]);
  expect(screen.getByText(/This is the default order\./)).toBeTruthy();
  expect(order()).toEqual(["1a · At home", "2b · At home"]);
  await press("Save the order");
  expect(sent()).toEqual([]);
  await press("Move up: b · At home");
  fireEvent.change(screen.getByLabelText("Model to add"), { target: { value: "HOME:c" } });
  await press("Add");
  expect(order()).toEqual(["1b · At home", "2a · At home", "3c · At home"]);
  await press("Remove from automatic choice: a · At home");
  await press("Save the order");
  expect(screen.getByRole("alert")).toBeTruthy();
  await press("Save the order");
  expect(sent()).toEqual(Array(2).fill({ values: ["HOME:b", "HOME:c"] }));
  expect(currentNotifications()[0]?.text).toBe("The order is saved.");
  expect(screen.queryByText(/This is the default order\./)).toBeNull();
});

test("a saved order is undone by its notification, also to the default order", async () => {
  const sent = await open(null);
  await press("Remove from automatic choice: a · At home");
  await press("Save the order");
  await act(async () => currentNotifications()[0]?.action?.run());
  expect(sent()).toEqual([{ values: ["HOME:b"] }, { values: null }]);
  expect(order()).toEqual(["1a · At home", "2b · At home"]);
  expect(screen.getByText("The former order is back.")).toBeTruthy();
});

test("an own order names models that are gone, and is reset to the default", async () => {
  const sent = await open(["HOME:gone", "HOME:b"]);
  expect(order()).toEqual(["1HOME:gone · not available", "2b · At home"]);
  await press("Reset to the default order");
  expect(sent()).toEqual([{ values: null }]);
  expect(order()).toEqual(["1a · At home", "2b · At home"]);
  await act(async () => undefined);
  expect(screen.queryByRole("button", { name: "Reset to the default order" })).toBeNull();
});

test("a model is added from the searched list if there are many, without those that the order has", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const many = Array.from({ length: 100 }, (_, at) => option(`HOME:m-${at}`));
  const off = option("HOME:m-off", { available: false });
  const sent = await open(["HOME:m-7"], done, [{ label: "At home", models: [...many, off] }]);
  await press("Model to add: Choose a model");
  const field = await screen.findByRole("combobox", { name: "Search models" });
  const find = (query: string) => fireEvent.change(field, { target: { value: query } });
  find("m-off");
  expect(screen.queryByRole("option")).toBeNull();
  find("m-7");
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(
    Array.from({ length: 10 }, (_, at) => `m-7${at}`),
  );
  find("m-77");
  await act(async () => void fireEvent.keyDown(field, { key: "Enter" }));
  await press("Add");
  expect(order()).toEqual(["1m-7 · At home", "2m-77 · At home"]);
  expect(screen.getByRole("button", { name: "Model to add: Choose a model" })).toBeTruthy();
  await press("Save the order");
  expect(sent()).toEqual([{ values: ["HOME:m-7", "HOME:m-77"] }]);
});

test("an order of one model has no buttons that move it", async () => {
  await open(["HOME:a"]);
  expect(order()).toEqual(["1a · At home"]);
  expect(screen.queryByRole("button", { name: /^Move up/ })).toBeNull();
});
