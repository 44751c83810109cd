// `node scripts/make-icons.ts` draws the icons of the installed application from the logo, with Chromium. The icons are
// committed, so that a build needs no browser. Run it again when the logo or its colours change.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { root } from "./child.mjs";
import { findChromium } from "./find-chromium.ts";

const PAPER = "#fbf9f6";
const QUESTION = "#006c6c";
const ANSWER = "#1c1a16";
/** Side of the logo's grid; the logo fills units 2 to 22. */
const UNITS = 24;

const favicon = readFileSync(join(root, "web/public/favicon.svg"), "utf8");
const shapes = [...favicon.matchAll(/<path class="(question|answer)" d="([^"]+)"/g)];
const paths = shapes
  .map(([, name, d]) => `<path fill="${name === "question" ? QUESTION : ANSWER}" d="${d}"/>`)
  .join("");

/**
 * @param share fraction of the side that the logo takes; maskable icons may be cropped to a circle of 80 %
 * @param corner radius of the background's corners, as a fraction of the side
 */
function drawing(share: number, corner: number): string {
  const side = Math.round((20 / share) * 100) / 100;
  const start = (UNITS - side) / 2;
  const paper = `<rect x="${start}" y="${start}" width="${side}" height="${side}" rx="${side * corner}" fill="${PAPER}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${start} ${start} ${side} ${side}">${paper}${paths}</svg>\n`;
}

const tile = drawing(0.6, 0.22);
const pictures = [
  { file: "icon-192.png", px: 192, svg: tile },
  { file: "icon-512.png", px: 512, svg: tile },
  { file: "icon-maskable-512.png", px: 512, svg: drawing(0.46, 0) },
  { file: "apple-touch-icon.png", px: 180, svg: drawing(0.56, 0) },
];

const folder = join(root, "web/public/icons");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "icon.svg"), tile);
const executablePath = findChromium();
const browser = await chromium.launch({ args: ["--no-sandbox"], ...(executablePath && { executablePath }) });
const page = await browser.newPage();
for (const { file, px, svg } of pictures) {
  await page.setViewportSize({ width: px, height: px });
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  await page.setContent(`<style>body{margin:0}img{display:block;width:${px}px}</style><img src="${source}">`);
  await page.screenshot({ path: join(folder, file), omitBackground: true });
}
await browser.close();
