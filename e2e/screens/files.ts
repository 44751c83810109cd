import type { Page } from "@playwright/test";
import { pdfOf } from "../../testing/files/pdf-files.ts";
import { stripedPng } from "../../testing/files/picture-encoders.ts";
import { attach, attachedRow } from "../attached-files.ts";
import { expect } from "../fixtures.ts";
import type { ChatScene } from "./chats.ts";
import type { Screens } from "./walk.ts";

const chosen = [
  { name: "view.png", type: "image/png", bytes: stripedPng(320, 200) },
  { name: "notes.md", type: "text/markdown", bytes: "# Fjords\n\nA fjord ends in a moraine." },
  { name: "report.pdf", type: "application/pdf", bytes: pdfOf("One", "Two") },
];

async function attachAll({ chat, page }: ChatScene): Promise<void> {
  await chat.box.focus();
  await attach(page, ...chosen);
  await expect(attachedRow(page).getByRole("listitem")).toHaveCount(3);
  await expect(attachedRow(page).getByText(/^(Preparing|Waiting|Uploading|Reading)…$/)).toHaveCount(0);
}

/** Enlarges the picture of the question, and zooms it. */
async function enlarge({ page }: ChatScene): Promise<void> {
  await page.getByRole("button", { name: /^Enlarge view/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Zoom in" }).click();
}

/** Opens the PDF of the question. */
async function openPdf({ page }: ChatScene): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^report\.pdf PDF/ }).click();
}

const viewer = (page: Page) => page.getByRole("dialog", { name: /^view/ });
const sent = (page: Page) => page.getByRole("img", { name: /^view/ });

export const files: Screens<ChatScene> = {
  "attached files": { open: "/chat", reach: attachAll, shows: attachedRow },
  "files of a question": { reach: ({ chat }) => chat.ask("What is this?"), shows: sent },
  "enlarged picture": { reach: enlarge, shows: viewer },
  "PDF beside what models receive": {
    reach: openPdf,
    shows: (page) => page.getByRole("img", { name: "Page 2 of 2" }),
  },
  "search for a file": {
    open: "/chat",
    reach: async ({ chat, page }) => {
      await (await chat.sidebar()).getByRole("button", { name: "Search your chats" }).click();
      await page.getByRole("combobox", { name: "Search" }).fill("moraine");
    },
    shows: (page) => page.getByRole("option", { name: "File: notes.md" }),
  },
  "temporary chat with attached files": {
    open: "/chat?temporary=1",
    reach: attachAll,
    shows: (page) => page.getByRole("heading", { name: "Temporary chat" }),
  },
  "temporary conversation": {
    reach: async ({ chat }) => {
      await chat.send("What is this?");
      await expect(chat.answer("This is a scripted reply")).toBeVisible();
      await expect(chat.sendButton).toBeVisible();
    },
    shows: sent,
  },
  "enlarged picture of a temporary chat": { reach: enlarge, shows: viewer },
};
