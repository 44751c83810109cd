/**
 * Worker that draws the pages of a PDF by pdf.js. Parsing and painting run in this one thread, so that ending it ends
 * all work on a hostile file. Its script is sent with the Content Security Policy of documents.
 */

// Sets `globalThis.pdfjsWorker`, which pdf.js then calls in this thread instead of starting a worker of its own.
import "pdfjs-dist/build/pdf.worker.mjs";
import { AnnotationMode, getDocument, type PDFDocumentProxy, type PDFPageProxy, version } from "pdfjs-dist";
import { isPdfMessage, type PdfAnswer, type PdfRefusal, type PdfRequest } from "./pdf-messages.ts";

/** Largest picture of a page, and of a picture within a page, in pixels: 32 MB and 160 MB of memory. */
const MAX_PIXELS = 8_000_000;
const MAX_IMAGE_PIXELS = 40_000_000;
/** Browsers refuse longer canvases. */
const MAX_SIDE = 8192;
const NO_FILTER = "none";
/** Files that pdf.js loads when a PDF needs them; `scripts/build/pdf-files.ts` copies them there. */
const FILES = `/assets/pdfjs-${version}/`;

class OffscreenCanvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext("2d", { willReadFrequently: true }) };
  }
  reset({ canvas }: { canvas: OffscreenCanvas }, width: number, height: number) {
    Object.assign(canvas, { width, height });
  }
  destroy(made: { canvas: OffscreenCanvas | null; context: unknown }) {
    if (made.canvas) Object.assign(made.canvas, { width: 0, height: 0 });
    Object.assign(made, { canvas: null, context: null });
  }
  getNoAlphaContext(canvas: OffscreenCanvas) {
    return canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  }
}

/** pdf.js makes filters as SVG elements, of which a worker has none. It paints without them then. */
class NoFilters {
  addFilter = () => NO_FILTER;
  addHCMFilter = () => NO_FILTER;
  addAlphaFilter = () => NO_FILTER;
  addLuminosityFilter = () => NO_FILTER;
  addKnockoutFilter = () => NO_FILTER;
  addHighlightHCMFilter = () => NO_FILTER;
  addSelectionHCMFilter = () => NO_FILTER;
  addSelectionFilter = () => NO_FILTER;
  createSelectionStyle = () => null;
  destroy = () => undefined;
}

const { fonts } = globalThis as { fonts?: FontFaceSet };

/**
 * Nothing is fetched except the fonts, character maps and decoders of our own build. WebAssembly would need another
 * policy. Forms of XFA and scripts in the file are not run: their interpreters are not part of this build.
 */
const OPTIONS = {
  cMapUrl: `${FILES}cmaps/`,
  standardFontDataUrl: `${FILES}standard_fonts/`,
  wasmUrl: `${FILES}wasm/`,
  useWorkerFetch: true,
  useWasm: false,
  // Else a font that is not embedded looks different on each system. Scripts that our fonts lack still have those of the system.
  useSystemFonts: false,
  enableXfa: false,
  maxImageSize: MAX_IMAGE_PIXELS,
  canvasMaxAreaInBytes: 4 * MAX_IMAGE_PIXELS,
  verbosity: 0,
  disableFontFace: fonts === undefined,
  ownerDocument: Object({ fonts }),
  disableWorkerRendering: true,
  CanvasFactory: OffscreenCanvases,
  FilterFactory: NoFilters,
};

let pdf: PDFDocumentProxy | undefined;

async function open(bytes: ArrayBuffer): Promise<PdfAnswer> {
  try {
    pdf = await getDocument({ ...OPTIONS, data: new Uint8Array(bytes) }).promise;
    // The first page may be the damaged one.
    const first = await pdf.getPage(1).then(sizeOf, () => ({ width: 612, height: 792 }));
    return { kind: "opened", pages: pdf.numPages, first };
  } catch (error) {
    return { kind: "refused", reason: refusalOf(error) };
  }
}

function refusalOf(error: unknown): PdfRefusal {
  const { name, message }: { name?: string; message?: string } = Object(error);
  return name === "PasswordException" || message?.includes("encryption") ? "encrypted" : "broken";
}

function sizeOf(page: PDFPageProxy) {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

function opened(): PDFDocumentProxy {
  if (!pdf) throw new Error("No file is open");
  return pdf;
}

async function draw(number: number, wanted: number): Promise<PdfAnswer> {
  try {
    const page = await opened().getPage(number);
    const size = sizeOf(page);
    const { width, height } = size;
    const scales = [wanted / width, MAX_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height))];
    const viewport = page.getViewport({ scale: Math.min(...scales) });
    const side = (length: number) => Math.max(1, Math.floor(length));
    const canvas = new OffscreenCanvas(side(viewport.width), side(viewport.height));
    const canvasContext = Object(canvas.getContext("2d", { alpha: false }));
    await page.render({ canvas: null, canvasContext, viewport, annotationMode: AnnotationMode.ENABLE }).promise;
    page.cleanup();
    return { kind: "drawn", bitmap: canvas.transferToImageBitmap(), size };
  } catch {
    return { kind: "undrawn" };
  }
}

const answerTo = (request: PdfRequest) =>
  request.kind === "open" ? open(request.bytes) : draw(request.page, request.width);

addEventListener("message", async ({ data }: MessageEvent<unknown>) => {
  if (!isPdfMessage(data) || (data.kind !== "open" && data.kind !== "draw")) return;
  const answer = await answerTo(data);
  postMessage(answer, { transfer: answer.kind === "drawn" ? [answer.bitmap] : [] });
});
