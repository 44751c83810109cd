import { runLimited } from "../concurrency/run-limited.ts";
import type { PageText } from "./extract-page.ts";

/** `label`: `charset` of the header. */
export type PageRequest = { bytes: Uint8Array; label: string | undefined };

/** `page`: null if it is too complex. `isWorn`: the process has so much memory that it should not read another. */
export type PageAnswer = { page: PageText | null; isWorn: boolean };

const MEGABYTE = 1024 * 1024;
/** Memory after a page, as a share of the limit, above which a process is worn. */
const WORN_SHARE = 0.5;

/** Reads pages that the server sends, one after the other. */
await runLimited<PageRequest, PageAnswer>(import.meta.url, async (answer, { maxMemoryMb }) => {
  const { extractPage } = await import("./extract-page.ts");
  const { decodePage } = await import("./page-charset.ts");
  return ({ bytes, label }) => {
    let page: PageText | null;
    try {
      page = extractPage(decodePage(bytes, label));
    } catch {
      // Limits of V8, such as its stack, and states of the tree that a library does not expect.
      page = null;
    }
    answer({ page, isWorn: process.memoryUsage.rss() > maxMemoryMb * MEGABYTE * WORN_SHARE });
  };
});
