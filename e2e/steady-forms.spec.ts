import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { newPerson } from "../testing/accounts/sign-up.ts";
import { answered } from "./account-menu.ts";
import { expect, test } from "./fixtures.ts";
import { animationsEnded } from "./looks.ts";
import { answerWith, jsonAnswer } from "./routed-calls.ts";

/** Positions and sizes of all headings, labels and controls of the form's page. */
async function positions(page: Page): Promise<Record<string, readonly number[]>> {
  await animationsEnded(page);
  const boxes = await page.locator("main").evaluate((main) =>
    [...main.querySelectorAll("h1, label, input, button, a, select")].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const name = `${element.tagName} ${element.textContent?.trim() || element.getAttribute("name")}`;
      return [name, [x, y + main.ownerDocument.documentElement.scrollTop, width, height]] as const;
    }),
  );
  return Object.fromEntries(boxes);
}

const refusal = jsonAnswer(503, { code: "", detail: "Not today" });
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`);

const { firstname, lastname, username, email, password } = newPerson();
const screens = [
  { path: "/login", call: accountPaths.login, fields: { username: "ada", password: "no password" } },
  {
    path: "/register",
    call: accountPaths.register,
    fields: { firstname, lastname, username, email, password, confirmPassword: password },
  },
  { path: "/forgot-password", call: accountPaths.forgotPassword, fields: { email: "ada" } },
];

test.use({ expectedErrors: [/status of 503/] });

for (const { language, tags } of [
  { language: "en", tags: "@phone" },
  { language: "de", tags: "@every-screen @proof" },
]) {
  test(`in ${language}, no control of a form before sign-in moves when an error of one line appears ${tags}`, async ({
    page,
    isMobile,
  }) => {
    if (!isMobile) await page.setViewportSize({ width: 1440, height: 900 });
    await page.addInitScript((tag) => localStorage.setItem("parley.language", tag), language);
    for (const { path, call, fields } of screens) {
      await test.step(path, async () => {
        await answerWith(page, call, refusal);
        await page.goto(path);
        const [first = ""] = Object.keys(fields);
        await field(page, first).focus();
        // A font or the server's configuration that arrives later would move the controls, too.
        await answered(page, accountPaths.authConfig);
        await page.evaluate(() => document.fonts.ready);
        const before = await positions(page);
        expect(Object.keys(before).length).toBeGreaterThan(4);

        await field(page, first).press("Enter");
        await expect(page.locator("[aria-invalid=true]")).toHaveCount(Object.keys(fields).length);
        expect(await positions(page)).toEqual(before);

        for (const [name, value] of Object.entries(fields)) await field(page, name).fill(value);
        await expect(page.locator("[aria-invalid=true]")).toHaveCount(0);
        await field(page, first).press("Enter");
        await expect(page.getByRole("alert")).toBeVisible();
        await expect(page.locator("button[type=submit]")).toBeEnabled();
        expect(await positions(page)).toEqual(before);
      });
    }
  });
}
