import { API_BASE } from "#contract/http.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { expect, test } from "./chat-screen.ts";
import { expectNoOverhang, expectTouchable } from "./looks.ts";

const router: ModelGroup = {
  label: "Router",
  models: Array.from({ length: 600 }, (_, at) => ({
    label: `vendor/model-${at}`,
    value: `ROUTER:model-${at}`,
    available: true,
    tools: true,
    contextTokens: 131_072,
    price: { input: 3, output: 15 },
  })),
};

test("a model among hundreds is found, pinned and chosen, and its connection is searched too @phone", async ({
  chat,
  page,
  isMobile,
}) => {
  await page.route(`**${API_BASE}${modelPaths.models}`, async (route) => {
    const own = (await (await route.fetch()).json()) as ModelGroup[];
    await route.fulfill({ json: [...own, router] });
  });
  await chat.open(await chat.prepare("Hello", "Hello yourself"));
  const press = () => (isMobile ? chat.modelMenu.tap() : chat.modelMenu.click());
  await press();
  const list = page.getByRole("dialog", { name: "Model", exact: true });
  const field = list.getByRole("combobox", { name: "Search models" });
  await expect(isMobile ? list.getByRole("listbox") : field).toBeFocused();
  await expect(list.getByRole("option", { name: "gpt-5-mini" })).toBeVisible();
  expect(await list.getByRole("option").count()).toBeLessThan(60);
  await expect(list).toBeInViewport({ ratio: 1 });
  await expectNoOverhang(page);
  if (isMobile) await expectTouchable(list);

  await field.fill("599 ROUTER");
  await expect(list.getByRole("option")).toHaveText([/^vendor\/model-599/]);
  await field.press("Shift+Enter");
  await expect(list.getByRole("group", { name: "Pinned" }).getByRole("option")).toHaveCount(1);
  await field.press("Enter");
  await expect(list).toBeHidden();
  await expect(chat.modelMenu).toHaveAccessibleName("Model: vendor/model-599");
  await expect(chat.modelMenu).toBeFocused();
  await press();
  await expect(list.getByRole("option", { selected: true })).toHaveText(/^vendor\/model-599/);
  await field.fill("");
  await field.press("End");
  await expect(list.getByRole("option", { name: "vendor/model-598" })).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
});
