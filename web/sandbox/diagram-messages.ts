/**
 * What the page and the frame of a diagram say to each other, over a port that the page gives to the frame. The frame
 * draws what strangers wrote: what it says is read with as much care as any answer from elsewhere.
 */

import * as z from "zod/mini";

/** Where the frame's page is served: in a folder of its own, which has its own policy and shares nothing with the page. */
export const DIAGRAM_FRAME = "/sandbox/diagram.html";

/** Colours in any form that CSS knows. */
export type DiagramTheme = Record<"page" | "raised" | "sunken" | "hairline" | "muted" | "ink" | "accent", string>;

/** `isWhole`: at its own size, to be scrolled; else as wide as the frame at most. */
export type DrawRequest = { source: string; look: DiagramTheme; isWhole: boolean };

const LONGEST_WORDS = 500;
/** In CSS pixels. */
const LARGEST = 20_000;
const words = z.string().check(z.maxLength(LONGEST_WORDS));

const drawnSchema = z.object({
  /** In CSS pixels, of the drawing as it stands in the frame. */
  height: z.number().check(z.gte(1), z.lte(LARGEST)),
  /** How Mermaid calls this kind of diagram. */
  kind: words,
  /** What its author says that it is; empty where they do not. */
  title: words,
  description: words,
});

/** For good, by its source; or for now: what draws it could not be loaded, or not in time. */
const failedSchema = z.object({ failed: z.enum(["for-good", "for-now"]) });
const answerSchema = z.union([z.object({ drawn: drawnSchema }), failedSchema]);

export type Drawn = z.infer<typeof drawnSchema>;
export type DrawAnswer = z.infer<typeof answerSchema>;

/** Null for what the frame should never say. */
export function readAnswer(data: unknown): DrawAnswer | null {
  const { data: answer } = answerSchema.safeParse(data);
  return answer ?? null;
}

export const cutWords = (text: string): string => text.trim().slice(0, LONGEST_WORDS);
export const cutHeight = (height: number): number => Math.min(Math.max(Math.ceil(height), 1), LARGEST);
