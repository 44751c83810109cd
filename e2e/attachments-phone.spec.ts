import { stripedPng } from "../testing/files/picture-encoders.ts";
import { attach, attachedRow } from "./attached-files.ts";
import { expect, test } from "./chat-screen.ts";
import { animationsEnded, expectNoOverhang, expectTouchable } from "./looks.ts";
import { Finger, pinch } from "./touches.ts";

test("a finger swipes through the pictures of a message, and two enlarge one", async ({ chat, page }) => {
  await chat.open();
  const picture = (name: string) => ({ name, type: "image/png", bytes: stripedPng(320, 200) });
  await attach(page, picture("first.png"), picture("second.png"));
  await expect(attachedRow(page).getByRole("listitem")).toHaveCount(2);
  await chat.ask("Compare them");
  await chat.question("Compare them").getByRole("button", { name: "Enlarge first.png" }).tap();
  const viewer = page.getByRole("dialog");
  const title = viewer.getByRole("heading");
  const shown = viewer.getByRole("img");
  await expect(shown).toBeVisible();
  await animationsEnded(page);
  await expectTouchable(viewer);
  await expectNoOverhang(page);
  const finger = await Finger.of(page);
  const swipe = async (from: number, to: number) => {
    await finger.down(from, 420);
    await finger.move(to);
    await finger.up();
  };
  await swipe(320, 80);
  await expect(title).toHaveText("second.png");
  await swipe(80, 320);
  await expect(title).toHaveText("first.png");
  const widthOf = async () => (await shown.boundingBox())?.width ?? 0;
  const width = await widthOf();
  await pinch(page, { x: 195, y: 420 }, 3);
  await expect.poll(widthOf).toBeGreaterThan(2 * width);
  // Now the finger moves the picture.
  await swipe(320, 80);
  await expect(title).toHaveText("first.png");
  await pinch(page, { x: 195, y: 420 }, 0.2);
  await expect.poll(widthOf).toBeCloseTo(width, 0);
});
