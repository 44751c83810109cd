import { runLimited } from "../../concurrency/run-limited.ts";
import type { RenderOptions } from "./render-markdown.ts";

/** `nodes`: JSON of nodes of a shared page, separated by commas. */
export type RenderForm = "html" | "nodes";

/** `maxChars`: of all sections (UTF-16 units). */
export type RenderRequest = RenderOptions & { markdown: string; form: RenderForm; maxChars: number };

/** `sections`: null if the text cannot be rendered, or becomes too long. */
export type RenderAnswer = { sections: string[] | null };

/** Renders texts that the server sends, one after the other. */
await runLimited<RenderRequest, RenderAnswer>(import.meta.url, async (answer) => {
  const { renderSections, renderTrees } = await import("./render-markdown.ts");
  const { joinNodes, toPageNodes } = await import("./page-nodes.ts");
  const renderNodes = (markdown: string, options: RenderOptions) =>
    renderTrees(markdown, { ...options, isPage: true }).map((tree) => joinNodes(toPageNodes(tree)));
  return ({ markdown, form, maxChars, ...options }) => {
    const render = form === "nodes" ? renderNodes : renderSections;
    return answer({ sections: within(maxChars, () => render(markdown, options)) });
  };
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
