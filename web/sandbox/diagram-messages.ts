/**
 * Messages between the page and the frame of a diagram, over a message port from the page. The frame renders untrusted
 * input, so its answers are validated like any other external data.
 */

import * as z from "zod/mini";

/** Address of the frame's document: in a folder with its own CSP, which shares nothing with the page. */
export const DIAGRAM_FRAME = "/sandbox/diagram.html";

/** Colours in any CSS syntax. */
export type DiagramTheme = Record<"page" | "raised" | "sunken" | "hairline" | "muted" | "ink" | "accent", string>;

/** `isWhole`: at its own size, scrollable; else at most as wide as the frame. */
export type DrawRequest = { source: string; look: DiagramTheme; isWhole: boolean };

const LONGEST_WORDS = 500;
/** In CSS pixels. */
const LARGEST = 20_000;
const words = z.string().check(z.maxLength(LONGEST_WORDS));

const drawnSchema = z.object({
  /** In CSS pixels, of the drawing as it stands in the frame. */
  height: z.number().check(z.gte(1), z.lte(LARGEST)),
  /** Mermaid's name for the diagram type. */
  kind: words,
  /** Title and description by the author; empty if there are none. */
  title: words,
  description: words,
});

/** `for-good`: the source cannot be drawn; `for-now`: Mermaid could not be loaded, or a timeout elapsed. */
const failedSchema = z.object({ failed: z.enum(["for-good", "for-now"]) });
const answerSchema = z.union([z.object({ drawn: drawnSchema }), failedSchema]);

export type Drawn = z.infer<typeof drawnSchema>;
export type DrawAnswer = z.infer<typeof answerSchema>;

/** Parses an answer of the frame; null if it is invalid. */
export function readAnswer(data: unknown): DrawAnswer | null {
  const { data: answer } = answerSchema.safeParse(data);
  return answer ?? null;
}

export const cutWords = (text: string): string => text.trim().slice(0, LONGEST_WORDS);
export const cutHeight = (height: number): number => Math.min(Math.max(Math.ceil(height), 1), LARGEST);
