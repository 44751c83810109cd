import { expect, test } from "./chat-screen.ts";

test("messages fade out above the composer, except with more contrast and at the end @every-screen", async ({
  chat,
  page,
}) => {
  const paragraphs = Array.from({ length: 40 }, (_, line) => `Paragraph ${line}.`).join("\n\n");
  await chat.open(await chat.prepare("A question", paragraphs));
  await expect(page.getByText("Paragraph 39.")).toBeInViewport();
  const view = page.getByRole("region", { name: "Conversation" });
  const fade = () =>
    view.evaluate((section) => {
      const { backgroundImage, position, pointerEvents, height, width } = getComputedStyle(section, "::after");
      const isInside = Number.parseFloat(width) <= section.clientWidth;
      return { isGradient: backgroundImage.startsWith("linear-gradient"), position, pointerEvents, height, isInside };
    });
  const faded = { isGradient: true, position: "sticky", pointerEvents: "none", height: "24px", isInside: true };
  expect(await fade()).toEqual(faded);
  const end = await chat.messages.last().evaluate((item) => {
    const [list, section] = [item.closest("ol"), item.closest("section")];
    if (!list || !section) throw new Error("The message is in no list of the conversation");
    const hidden = section.scrollHeight - section.clientHeight - section.scrollTop;
    return { gap: Number.parseFloat(getComputedStyle(list).marginBottom), hidden };
  });
  // By the margin: scroll positions are whole pixels, so up to one pixel of it may be out of reach.
  expect(end.gap).toBeGreaterThanOrEqual(24);
  expect(end.hidden).toBeLessThan(1);
  for (const emulation of [{ contrast: "more" }, { contrast: "no-preference", forcedColors: "active" }] as const) {
    await page.emulateMedia(emulation);
    expect(await fade()).toEqual({ ...faded, isGradient: false });
  }
  await page.emulateMedia({ forcedColors: "none", colorScheme: "dark" });
  expect(await fade()).toEqual(faded);
});
