import { runLimited } from "../../concurrency/run-limited.ts";
import type { RenderOptions } from "./render-markdown.ts";

/** `maxChars`: of all sections (UTF-16 units). */
export type RenderRequest = RenderOptions & { markdown: string; maxChars: number };

/** `sections`: null if the text cannot be rendered, or becomes too long. */
export type RenderAnswer = { sections: string[] | null };

/** Renders texts that the server sends, one after the other. */
await runLimited<RenderRequest, RenderAnswer>(import.meta.url, async (answer) => {
  const { renderSections } = await import("./render-markdown.ts");
  return ({ markdown, maxChars, ...options }) =>
    answer({ sections: within(maxChars, () => renderSections(markdown, options)) });
});

function within(maxChars: number, render: () => string[]): string[] | null {
  try {
    const sections = render();
    return sections.reduce((sum, { length }) => sum + length, 0) > maxChars ? null : sections;
  } catch {
    // The text is nested too deeply, so it is shown as plain text.
    return null;
  }
}
