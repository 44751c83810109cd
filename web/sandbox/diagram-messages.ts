/**
 * Messages between the page and the frame of a diagram, over a message port from the page. The frame renders untrusted
 * input, so its answers are validated like any other external data.
 */

import * as z from "zod/mini";

/** Address of the frame's document: in a folder with its own CSP, which shares nothing with the page. */
export const DIAGRAM_FRAME = "/sandbox/diagram.html";

/** Colours in any CSS syntax. */
export type DiagramTheme = Record<"page" | "raised" | "sunken" | "hairline" | "muted" | "ink" | "accent", string>;

/** `isWhole`: fills the frame and follows views; else at most as wide as the frame. */
export type DrawRequest = { source: string; look: DiagramTheme; isWhole: boolean };

/** `x`, `y`: position of the drawing's corner in the frame, in CSS pixels. */
export type DiagramView = { scale: number; x: number; y: number };

/** Requests after a drawing: shows it at a view, or returns it as the text of an SVG file. */
export type FrameRequest = DrawRequest | { view: DiagramView } | { save: true };

const LONGEST_WORDS = 500;
/** In UTF-16 units. */
const LONGEST_FILE = 10_000_000;
/** Space around the drawing in a file, in CSS pixels. */
export const FILE_PADDING = 16;
/** In CSS pixels. */
const LARGEST = 20_000;
const words = z.string().check(z.maxLength(LONGEST_WORDS));

const length = z.number().check(z.gte(1), z.lte(LARGEST));

const drawnSchema = z.object({
  /** In CSS pixels, of the drawing as it stands in the frame. */
  height: length,
  /** In CSS pixels, of the drawing at its own size, without padding. */
  size: z.object({ width: length, height: length }),
  /** Mermaid's name for the diagram type. */
  kind: words,
  /** Title and description by the author; empty if there are none. */
  title: words,
  description: words,
});

/** `for-good`: the source cannot be drawn; `for-now`: Mermaid could not be loaded, or a timeout elapsed. */
const failedSchema = z.object({ failed: z.enum(["for-good", "for-now"]) });
/** Text of an SVG file; null if there is no drawing. */
const savedSchema = z.object({ saved: z.nullable(z.string().check(z.maxLength(LONGEST_FILE))) });
const answerSchema = z.union([z.object({ drawn: drawnSchema }), failedSchema]);

export type Drawn = z.infer<typeof drawnSchema>;
export type DrawAnswer = z.infer<typeof answerSchema>;

/** Parses an answer of the frame; null if it is invalid. */
export function readAnswer(data: unknown): DrawAnswer | null {
  const { data: answer } = answerSchema.safeParse(data);
  return answer ?? null;
}

/** Parses the answer to a request to save; undefined if it is another answer. */
export function readSaved(data: unknown): string | null | undefined {
  return savedSchema.safeParse(data).data?.saved;
}

export const cutWords = (text: string): string => text.trim().slice(0, LONGEST_WORDS);
export const cutLength = (length: number): number => Math.min(Math.max(Math.ceil(length), 1), LARGEST);
