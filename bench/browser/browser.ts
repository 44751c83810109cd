import type { Row } from "../results/row.ts";
import { measureModelList } from "./model-list.ts";
import { measurePages } from "./page-weight.ts";
import { measureChats } from "./screen-times.ts";
import { shapes } from "./shapes.ts";
import { measureStreaming } from "./streaming.ts";
import { measureTyping } from "./typing.ts";

export type BrowserOptions = {
  /** Parts to measure; empty for all. */
  parts: readonly string[];
  /** Shapes of replies; empty for all. */
  shapes: readonly string[];
  runs: number;
  length: number;
  hasYardsticks: boolean;
};

/** Measures the built page in Chromium. */
export async function* measureBrowser({ parts, shapes: named, ...options }: BrowserOptions): AsyncGenerator<Row[]> {
  const wanted = shapes.filter((shape) => named.length === 0 || named.includes(shape));
  const measurements: Record<string, () => Promise<Row[]>> = {
    streaming: () => measureStreaming({ ...options, shapes: wanted }),
    typing: () => measureTyping(options),
    chats: measureChats,
    pages: measurePages,
    models: measureModelList,
  };
  for (const part of parts.length > 0 ? parts : Object.keys(measurements)) {
    const measure = measurements[part];
    if (!measure) throw new Error(`--part takes ${Object.keys(measurements).join(", ")}`);
    yield await measure();
  }
}
