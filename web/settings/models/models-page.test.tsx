import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ModelGroup } from "#contract/models.ts";
import { paths } from "#contract/paths.ts";

import { ModelChoice } from "../../models/model-choice.ts";
import { Query } from "../../queries/query.ts";
import { ada } from "../../testing/fake-api.ts";
import { eachTestAlone, openSettings } from "../../testing/open-settings.tsx";

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
  await openSettings("models", { [`GET ${paths.models}`]: { json } });
  await screen.findByRole("region", { name: "GPT" });
};
const chosen = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Model for new chats" });
const inMenus = (name: string) => screen.getByRole<HTMLInputElement>("switch", { name: `Show ${name} in menus` });
const flip = (name: string) => act(async () => void fireEvent.click(inMenus(name)));

/** What the chat offers and asks, read anew as when its screen opens. */
async function chatHas() {
  const choice = new ModelChoice(ada.id, new Query<ModelGroup[]>(async () => groups));
  await choice.load();
  const { groups: offered, value } = choice.current();
  return [value, offered.flatMap(({ models }) => models.map(({ label }) => label)).join()];
}

test("each model is told with what is known of it", async () => {
  await open();
  const lines = screen.getAllByRole("listitem").filter((line) => within(line).queryByRole("switch"));
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    "small1,000 tokens of context · $0.05 in, $2.00 out",
    "large",
    "sonnetNot set up",
  ]);
  expect(screen.queryByText(/No provider is set up/)).toBeNull();
});

test("the model for new chats is the one that the chat asks; automatic choice comes first", async () => {
  await open();
  expect([...chosen().options].map(({ text }) => text)).toEqual(["Automatic", "small", "large", "sonnet (not set up)"]);
  expect(chosen().value).toBe("auto");
  await act(async () => void fireEvent.change(chosen(), { target: { value: "GPT:large" } }));
  expect(await chatHas()).toEqual(["GPT:large", "small,large,sonnet"]);
});

test("a model is left out of menus and comes back, but not the one that is chosen", async () => {
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

test("where nothing is set up it is told who answers", async () => {
  await open(
    groups.map((group) => ({ ...group, models: group.models.map((each) => ({ ...each, available: false })) })),
  );
  expect(screen.getByText(/The built-in demo answers/)).toBeDefined();
});

test("a choice that is gone is automatic choice", async () => {
  localStorage.setItem(`model:${ada.id}`, "GPT:gone");
  localStorage.setItem(`model:${ada.id}:hidden`, '{"not":"a list"}');
  await open();
  expect(chosen().value).toBe("auto");
  expect(inMenus("small").checked).toBe(true);
});
