import type { Page } from "@playwright/test";
import { expect, test } from "./chat-screen.ts";
import { animationsEnded } from "./looks.ts";

// Fonts render differently on other systems. Update: `npx playwright test e2e/pictures.spec.ts --update-snapshots`.
test.skip(process.platform !== "linux", "the pictures are of Linux");

const ANSWER = `The Moon pulls the near side of the Earth a little more strongly than its middle, so there are **two bulges**, and the Earth turns beneath them.

| Moon | Sun, Moon and Earth | Tide |
| --- | --- | --- |
| new or full | in one line | spring tide: the highest highs |
| half | at a right angle | neap tide: the smallest range |

\`\`\`ts
/** Hours until the next high water. */
export const hoursToHighWater = (passed: number) => 12 + 25 / 60 - passed;
\`\`\`

1. Two high waters a day
2. Higher ones at new and full moon

> The tides are the heartbeat of the ocean.
`;

/** Compares the page with its reference picture; the person's name differs in each run and is masked. */
async function expectPicture(page: Page, name: string, person?: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await animationsEnded(page);
  const mask = person === undefined ? [] : [page.getByText(person, { exact: true })];
  await expect(page).toHaveScreenshot(`${name}.png`, { mask, maskColor: "#888888" });
}

for (const colorScheme of ["light", "dark"] as const) {
  // On the phone the themes differ in colours only.
  const phone = colorScheme === "light" ? " @phone" : "";

  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`the pages before the sign-in match their ${colorScheme} pictures @every-screen${phone}`, async ({ page }) => {
      await page.goto("/login");
      await expect(page.getByRole("button", { name: "Sign In", exact: true })).toBeVisible();
      await expectPicture(page, `login-${colorScheme}`);
      await page.goto("/register");
      await page.getByRole("button", { name: "I have a class code" }).waitFor();
      await expectPicture(page, `register-${colorScheme}`);
    });

    test(`the chat matches its ${colorScheme} pictures @every-screen${phone}`, async ({ chat, page }) => {
      await chat.prepare("Why the sky is blue", "Because of how air scatters light.");
      const tides = await chat.prepare("How do the tides work?", ANSWER);
      await chat.open();
      await expect(chat.welcome).toBeVisible();
      await expectPicture(page, `welcome-${colorScheme}`, chat.account.user.username);
      await chat.open(tides);
      await expect(chat.messages.locator("figure pre span span[style]").first()).toBeVisible();
      await expectPicture(page, `chat-${colorScheme}`, chat.account.user.username);
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectPicture(page, `palette-${colorScheme}`, chat.account.user.username);
    });
  });
}

test("the settings match their pictures @every-screen @phone", async ({ chat, page }) => {
  await chat.open();
  for (const section of ["appearance", "chat", "models"]) {
    await page.goto(`/settings/${section}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true], .animate-breathe")).toHaveCount(0);
    await expectPicture(page, `settings-${section}`, chat.account.user.username);
  }
});
