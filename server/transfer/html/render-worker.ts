import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render-markdown.ts";

// A separate thread, so that an expensive text does not block the event loop, and can be aborted.
parentPort?.on("message", (markdown: string) => {
  try {
    parentPort?.postMessage(renderMarkdown(markdown));
  } catch {
    // The text is nested too deeply, so it is shown as plain text.
    parentPort?.postMessage(null);
  }
});
