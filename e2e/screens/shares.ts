import type { Page } from "@playwright/test";
import { sharePaths } from "#contract/shares/paths.ts";
import { expect } from "../fixtures.ts";
import { answerNoLonger, answerWith, jsonAnswer } from "../routed-calls.ts";
import { press } from "../settings-screen.ts";
import type { ChatScene } from "./chats.ts";
import type { Screens } from "./walk.ts";

const words = (text: string | RegExp) => (page: Page) => page.getByText(text);
const preview = (page: Page) =>
  page.getByRole("region", { name: "Exactly what readers will see" }).getByText("By the Moon");

/** Opens the dialog of the links by the menu in the header. */
async function openLinks({ page }: ChatScene): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^More actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Share…" }).click();
}

export const shares: Screens<ChatScene> = {
  "links: form": {
    before: async ({ chat, ids }) => {
      ids.tides = await chat.prepare("How do tides work?", "By the **Moon**:\n\n```python\nprint('tide')\n```");
    },
    open: "/chat?c=:tides",
    reach: openLinks,
    shows: preview,
  },
  "links: created": {
    reach: ({ page }) => press(page, "Create link").click(),
    shows: (page) => page.getByRole("heading", { name: /^Link created/ }),
  },
  "links: list of a chat": {
    open: "/chat?c=:tides",
    reach: async (scene) => {
      await openLinks(scene);
      // The button has its last colours.
      await expect(preview(scene.page)).toBeVisible();
    },
    shows: words("Links to this chat"),
  },
  "links: question before one is revoked": {
    reach: ({ page }) => page.getByRole("button", { name: /^Revoke the link of/ }).click(),
    shows: (page) => page.getByRole("alertdialog", { name: "Revoke this link?" }),
  },
  "links: a preview that failed": {
    before: ({ page, ids }) =>
      answerWith(
        page,
        sharePaths.drafts(ids.tides ?? ""),
        jsonAnswer(413, { error: "", detail: "", code: "share-too-large" }),
      ),
    open: "/chat?c=:tides",
    reach: openLinks,
    shows: words("This chat is too large for a link."),
  },
  "links: off": {
    before: ({ page }) =>
      answerWith(page, sharePaths.shares, jsonAnswer(200, { rules: { audiences: [], daysMax: null }, shares: [] })),
    open: "/chat?c=:tides",
    reach: openLinks,
    shows: words("Links to chats are switched off for your account."),
  },
  "settings: shared links": {
    before: ({ page }) => answerNoLonger(page, sharePaths.shares),
    open: "/settings/data#shared-links",
    reach: ({ page }) => expect(page.getByRole("heading", { name: "Shared links" })).toBeFocused(),
    shows: (page) => press(page, "Revoke the link to How do tides work?"),
  },
  "settings: shared links that cannot be loaded": {
    before: ({ page }) => answerWith(page, sharePaths.shares, jsonAnswer(500, {})),
    open: "/settings/data",
    shows: (page) => page.getByRole("region", { name: "Shared links" }).getByRole("alert"),
  },
};
