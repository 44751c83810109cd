/** Messages between the page and the worker that draws PDFs. The worker answers one request at a time. */

import type { Size } from "../../ui/zoom/view.ts";

/** `width`: wanted width of the picture in device pixels. Pages are counted from 1. */
export type PdfRequest = { kind: "open"; bytes: ArrayBuffer } | { kind: "draw"; page: number; width: number };

/** A drawn page. `size`: of the page, in points. */
export type DrawnPage = { bitmap: ImageBitmap; size: Size };

/** Why a PDF has no drawn pages. `encrypted`: it needs a password; `broken`: it is damaged, or no PDF. */
export type PdfRefusal = "encrypted" | "broken";

/** `first`: size of the first page, in points. `undrawn`: this page is damaged. */
export type PdfAnswer =
  | { kind: "opened"; pages: number; first: Size }
  | { kind: "refused"; reason: PdfRefusal }
  | ({ kind: "drawn" } & DrawnPage)
  | { kind: "undrawn" };

/** Whether a message is one of ours: pdf.js sends others to the same receivers. */
export const isPdfMessage = (data: unknown): data is PdfRequest | PdfAnswer =>
  typeof data === "object" && data !== null && "kind" in data;
