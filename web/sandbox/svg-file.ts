import { FILE_PADDING } from "./diagram-messages.ts";

/** Returns a drawing as the text of an SVG file, on a background of the page's colour. */
export function fileOf(drawing: SVGSVGElement, page: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const { x, y, width, height } = drawing.viewBox.baseVal;
  const box = {
    x: x - FILE_PADDING,
    y: y - FILE_PADDING,
    width: width + 2 * FILE_PADDING,
    height: height + 2 * FILE_PADDING,
  };
  copy.setAttribute("viewBox", Object.values(box).join(" "));
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  copy.removeAttribute("style");
  const background = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries(box)) background.setAttribute(name, String(value));
  // Inline, as the drawing's style sheet has colours for rectangles.
  background.style.fill = page;
  background.style.stroke = "none";
  copy.prepend(background);
  return new XMLSerializer().serializeToString(copy);
}
