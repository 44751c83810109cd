import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { expect, test } from "./chat-screen.ts";

const FLOW = "flowchart LR\n  A[Asked] -- first word --> B{Known?}\n  B -- yes --> C[Told]";
const REPLY = `\`\`\`mermaid\n${FLOW}\n\`\`\``;

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const [download]: [Download, unknown] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test("an enlarged diagram is zoomed by wheel, keys and buttons, moved, and saved as SVG and PNG", async ({
  chat,
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await chat.open(await chat.prepare("Draw", REPLY));
  const figure = chat.messages.last().locator("figure");
  const small = figure.frameLocator("iframe");
  await expect(small.locator("svg").first()).toContainText("Known?");

  // Labels of lines stand on the colour of the page, and nothing has a shadow.
  const looks = await small
    .locator("svg")
    .first()
    .evaluate((svg) => ({
      labels: [...svg.querySelectorAll(".edgeLabel rect")].map((box) => {
        const { fill, opacity } = getComputedStyle(box);
        return { fill, opacity, isWide: box.getBoundingClientRect().width > 20 };
      }),
      shadows: [...svg.querySelectorAll("*")].filter((part) => getComputedStyle(part).filter !== "none").length,
    }));
  const ground = await page.evaluate(() => {
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) return "";
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, 1, 1);
    return `rgb(${[...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)].join(", ")})`;
  });
  expect(looks.labels).toEqual(Array(2).fill({ fill: ground, opacity: "1", isWide: true }));
  expect(looks.shadows).toBe(0);

  await figure.getByRole("button", { name: "Enlarge" }).click();
  const dialog = page.getByRole("dialog");
  const area = dialog.getByRole("application");
  // Mermaid measures in an element of its own before.
  const drawing = dialog.frameLocator("iframe").locator("body > svg");
  await expect(drawing).toBeVisible();
  const box = () => drawing.evaluate((svg) => svg.getBoundingClientRect().toJSON() as DOMRect);
  const fitted = await box();

  const middle = await area.boundingBox();
  await page.mouse.move((middle?.x ?? 0) + 200, (middle?.y ?? 0) + 200);
  await page.mouse.wheel(0, -200);
  await expect.poll(async () => (await box()).width).toBeGreaterThan(fitted.width * 1.2);
  const zoomed = await box();
  await page.mouse.down();
  await page.mouse.move((middle?.x ?? 0) + 260, (middle?.y ?? 0) + 230, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await box()).x - zoomed.x)).toBe(60);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(async () => Math.round((await box()).x - zoomed.x)).toBe(124);
  await page.keyboard.press("0");
  await expect.poll(async () => (await box()).width).toBeCloseTo(fitted.width, 1);
  await page.keyboard.press("-");
  await expect.poll(async () => (await box()).width).toBeCloseTo(fitted.width / 1.25, 1);
  await dialog.getByRole("button", { name: "Zoom in" }).click();
  await dialog.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(async () => (await box()).width).toBeCloseTo(fitted.width * 1.25, 1);
  await dialog.getByRole("button", { name: "Fit to window" }).click();
  await expect.poll(async () => (await box()).width).toBeCloseTo(fitted.width, 1);

  const svg = await saved(page, () => dialog.getByRole("button", { name: "Save as SVG" }).click());
  expect(svg.name).toMatch(/\.svg$/);
  const text = svg.content.toString();
  expect(text).toMatch(/^<svg /);
  expect(text).toContain("Known?");
  expect(text).toContain("@font-face");
  expect(text).not.toMatch(/<script|\son\w+=|foreignObject/);

  const png = await saved(page, () => dialog.getByRole("button", { name: "Save as PNG" }).click());
  expect(png.name).toBe(svg.name.replace(".svg", ".png"));
  expect(png.content.subarray(1, 4).toString()).toBe("PNG");
  const width = Number(/^<svg [^>]*?\bwidth="([\d.]+)"/.exec(text)?.[1]);
  expect(Math.abs(png.content.readUInt32BE(16) - 2 * width)).toBeLessThan(4);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});
