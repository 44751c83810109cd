import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { defaultConnectionSettings } from "#contract/administration/connections.ts";
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

async function open(automatic: string[] | null, answer: FakeAnswer | readonly FakeAnswer[] = done) {
  const calls = await openAdministration("connections", {
    "GET /admin/connections": { json: { connections: [home], automatic } },
    "GET /models": { json: groups },
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

test("an order of one model has no buttons that move it", async () => {
  await open(["HOME:a"]);
  expect(order()).toEqual(["1a · At home"]);
  expect(screen.queryByRole("button", { name: /^Move up/ })).toBeNull();
});
