import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render-markdown.ts";

// A thread of its own: a text that takes long to be read holds nobody else up, and can be given up.
parentPort?.on("message", (markdown: string) => {
  try {
    parentPort?.postMessage(renderMarkdown(markdown));
  } catch {
    // Too deep, as it is: shown as plain text.
    parentPort?.postMessage(null);
  }
});
