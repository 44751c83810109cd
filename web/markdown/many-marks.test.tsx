import { act, cleanup, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import "../testing/english-texts.ts";
import { loadReplyModules } from "../testing/render-growing-reply.tsx";
import RichReply from "./rich-reply.tsx";

const work = vi.hoisted(() => ({ characters: 0 }));

vi.mock("#contract/text/dollar-formulas.ts", async (original) => {
  const functions = await original<Record<string, (markdown: string) => unknown>>();
  const counted = Object.entries(functions).map(([name, rewrite]) => [
    name,
    (markdown: string) => {
      work.characters += markdown.length;
      return rewrite(markdown);
    },
  ]);
  return Object.fromEntries(counted);
});

loadReplyModules();
afterEach(cleanup);

test("an answer with formulas and many marks, inserts and seams is searched for formulas once", async () => {
  const text = "A fjord of length \\(x\\) is long [1].\n\n".repeat(200);
  const ends = [...text.matchAll(/\[1\]/g)].map(({ index }) => index + "[1]".length);
  const marks = ends.map((at) => ({ at, render: (mark: string) => <b>{mark}</b> }));
  const inserts = ends.map((at) => ({ key: `${at}`, at, element: <hr /> }));
  work.characters = 0;
  const { container } = render(
    <RichReply text={text} marks={marks} inserts={inserts} seams={ends} isGrowing={false} prefix="m1" />,
  );
  await act(async () => {});
  expect(container.querySelectorAll("b")).toHaveLength(200);
  expect(container.querySelectorAll("hr")).toHaveLength(200);
  // Once for the page and once for the deferred state of the stream, however many marks there are.
  expect(work.characters).toBeLessThanOrEqual(2 * text.length);
});
