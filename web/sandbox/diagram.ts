/**
 * Script of a diagram's frame. The frame has an opaque origin, may load only its own files, and receives data from the
 * embedding page only through one message port.
 */

import "./diagram.css";
import mermaid from "mermaid";
import {
  cutLength,
  cutWords,
  type DiagramView,
  type DrawAnswer,
  type DrawRequest,
  type FrameRequest,
} from "./diagram-messages.ts";
import { fileOf } from "./svg-file.ts";
import { cssOf, isDark, themeOf } from "./theme.ts";

const MOST_CHARS = 50_000;
const MOST_EDGES = 300;

/** In CSS pixels: a taller drawing is scaled down in the page, but at most to `LEAST_FOR_TALL`. */
const TALL = 640;
const LEAST_FOR_TALL = 0.6;
const PADDING = 16;
/** Mermaid's `minNodeWidth` in CSS pixels: width of a node with a short label, without its padding. */
const LEAST_NODE = 56;

/** Invisible, and no place for a line break. */
const WORD_JOINER = "\u2060";
const NO_BREAK_SPACE = "\u00a0";
/** SVG elements that contain HTML or act. */
const NEVER_DRAWN = new Set(["foreignObject", "script"]);

let newest = 0;
/** The drawing that is shown, with the colour of the page, and how it is viewed. */
let shown: { drawing: SVGSVGElement; page: string } | null = null;
let view: DiagramView | null = null;

addEventListener("message", function onPort({ source, ports: [port] }) {
  if (source !== parent || !port) return;
  removeEventListener("message", onPort);
  port.onmessage = ({ data }: MessageEvent<FrameRequest>) => {
    if ("view" in data) {
      view = data.view;
      if (shown) layOutWhole(shown.drawing);
    } else if ("save" in data) port.postMessage({ saved: shown && fileOf(shown.drawing, shown.page) });
    else void answer(data, port);
  };
});

async function answer(request: DrawRequest, port: MessagePort): Promise<void> {
  const mine = ++newest;
  const said = await draw(request, mine, port).catch(failureOf);
  if (mine === newest) port.postMessage(said);
}

/** Mermaid loads a chunk for each diagram type; a failed load is a TypeError, like an error in Mermaid's own code. */
const failureOf = (cause: unknown): DrawAnswer => ({ failed: cause instanceof TypeError ? "for-now" : "for-good" });

async function draw(
  { source, look: theme, isWhole }: DrawRequest,
  mine: number,
  port: MessagePort,
): Promise<DrawAnswer> {
  document.documentElement.style.colorScheme = isDark(theme) ? "dark" : "light";
  document.body.toggleAttribute("data-whole", isWhole);
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: true, minNodeWidth: LEAST_NODE },
    class: { htmlLabels: false },
    state: { minNodeWidth: LEAST_NODE },
    // The default draws texts as HTML, which a saved file may not contain.
    journey: { textPlacement: "tspan" },
    suppressErrorRendering: true,
    deterministicIds: true,
    maxTextSize: MOST_CHARS,
    maxEdges: MOST_EDGES,
    layout: "dagre",
    theme: "base",
    themeVariables: themeOf(theme),
    themeCSS: cssOf(theme),
    fontFamily: '"Inter Variable", system-ui, sans-serif',
    // Options that the source of a diagram must not override.
    secure: [
      ...[
        "secure",
        "securityLevel",
        "startOnLoad",
        "maxTextSize",
        "maxEdges",
        "suppressErrorRendering",
        "htmlLabels",
        "journey",
      ],
      ...["theme", "themeVariables", "themeCSS", "fontFamily", "layout", "dompurifyConfig", "deterministicIds"],
    ],
  });
  // Mermaid measures text to size boxes: the font must be loaded first.
  await document.fonts.load('15px "Inter Variable"').catch(() => []);
  const { svg, diagramType } = await mermaid.render(`diagram-${mine}`, asText(source));
  const drawing = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  if (!drawing || mine !== newest) return { failed: "for-good" };
  makeInert(drawing);
  centreStates(drawing);
  document.body.replaceChildren(document.adoptNode(drawing));
  shown = { drawing, page: theme.page };
  const layOut = isWhole ? layOutWhole : layOutInText;
  layOut(drawing);
  window.onresize = () => {
    layOut(drawing);
    port.postMessage(describeDrawing(drawing, diagramType));
  };
  return describeDrawing(drawing, diagramType);
}

function describeDrawing(drawing: SVGSVGElement, kind: string): DrawAnswer {
  const words = (selector: string) => cutWords(drawing.querySelector(`:scope > ${selector}`)?.textContent ?? "");
  return {
    drawn: {
      height: cutLength(drawing.getBoundingClientRect().height + 2 * PADDING),
      size: sizeOf(drawing),
      kind: cutWords(kind),
      title: words("title"),
      description: words("desc"),
    },
  };
}

function sizeOf(drawing: SVGSVGElement) {
  const { width, height } = drawing.viewBox.baseVal;
  return { width: cutLength(width), height: cutLength(height) };
}

/**
 * Separates the dollars of `$$`: Mermaid draws text between them as formulas, for which it inserts HTML into the document
 * of the frame and into the drawing. Some kinds of diagrams show `&nbsp;` as it is written.
 */
const asText = (source: string) =>
  source.replaceAll("$$", () => `$${WORD_JOINER}$`).replaceAll("&nbsp;", NO_BREAK_SPACE);

/**
 * Removes everything that is not SVG, and handlers, before the drawing enters the document: the policy of the frame is a
 * second defence. Removes link targets too: the frame could not follow them, and a diagram must not navigate the reader
 * away.
 */
function makeInert(drawing: SVGElement): void {
  for (const element of [drawing, ...drawing.querySelectorAll("*")]) {
    const isDrawn = element instanceof SVGElement && !NEVER_DRAWN.has(element.localName);
    if (!isDrawn) element.remove();
    for (const name of element.getAttributeNames()) if (/^on/i.test(name)) element.removeAttribute(name);
  }
  for (const link of drawing.querySelectorAll("a")) {
    for (const name of ["href", "xlink:href", "target"]) link.removeAttribute(name);
  }
}

/** Centres the labels of states, which Mermaid aligns left in boxes wider than the text. */
function centreStates(drawing: SVGElement): void {
  for (const label of drawing.querySelectorAll(".statediagram-state > rect.label-container ~ g.label")) {
    const across = /^translate\([^,]*,(?<down>[^)]*)\)$/.exec(label.getAttribute("transform") ?? "");
    if (!across?.groups) continue;
    label.setAttribute("transform", `translate(0,${across.groups.down})`);
    for (const words of label.querySelectorAll("text")) words.setAttribute("text-anchor", "middle");
  }
}

function layOutInText(drawing: SVGSVGElement): void {
  const { width, height } = drawing.viewBox.baseVal;
  if (width <= 0 || height <= 0) return;
  const room = (document.body.clientWidth - 2 * PADDING) / width;
  resize(drawing, Math.min(1, room, Math.max(LEAST_FOR_TALL, TALL / height)));
}

/** Shows the drawing at the view that the page has sent; it is invisible before. */
function layOutWhole(drawing: SVGSVGElement): void {
  drawing.style.visibility = view ? "visible" : "hidden";
  resize(drawing, view?.scale ?? 1);
  drawing.style.transform = `translate(${view?.x ?? 0}px, ${view?.y ?? 0}px)`;
}

function resize(drawing: SVGSVGElement, scale: number): void {
  const { width, height } = drawing.viewBox.baseVal;
  drawing.style.maxWidth = "none";
  drawing.setAttribute("width", String(width * scale));
  drawing.setAttribute("height", String(height * scale));
}
