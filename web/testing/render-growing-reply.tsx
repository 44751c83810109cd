/** For tests: a reply that is rendered again with each character that arrives. */

import { waitFor } from "@testing-library/react";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { PrintContext, type PrintWork } from "../markdown/print-work.ts";
import RichReply from "../markdown/rich-reply.tsx";

/** Mounts a root in which a reply can be rendered repeatedly. `work`: the reply is rendered for paper. */
export function mountReply(work: PrintWork | null = null) {
  const page = document.createElement("div");
  document.body.append(page);
  const root = createRoot(page);
  /** Renders the text, and waits for its formulas: they are rendered in time slices. */
  const show = async (text: string, isGrowing: boolean) => {
    const reply = <RichReply text={text} isGrowing={isGrowing} prefix="m1" />;
    await act(async () => root.render(<PrintContext value={work}>{reply}</PrintContext>));
    if (page.querySelector(HELD)) await waitFor(() => expect(page.querySelector(HELD)).toBeNull());
  };
  const close = async () => {
    await act(async () => root.unmount());
    page.remove();
  };
  return { page, show, close };
}

const HELD = ".reply-held";

/** Loads the lazy modules of formulas and of HTML before the tests of a file, so that each text is rendered at once. */
export function loadReplyModules(): void {
  beforeAll(async () => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    for (const [text, mark] of [
      ["$$x$$", ".katex"],
      ["<p>x</p>", "p"],
    ] as const) {
      const { page, show, close } = mountReply();
      await show(text, false);
      await waitFor(() => expect(page.querySelector(mark)).not.toBeNull());
      await close();
    }
  });
  afterAll(() => vi.unstubAllGlobals());
}
