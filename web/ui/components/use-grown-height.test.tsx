import { cleanup, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { useGrownHeight } from "./use-grown-height.ts";

const LINE = 24;

function Box({ text }: { text: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  useGrownHeight(box, text);
  return <textarea ref={box} value={text} readOnly />;
}

function growIn({ sizesFields }: { sizesFields: boolean }): string[] {
  vi.stubGlobal("CSS", { supports: () => sizesFields });
  // As tall as the text, but never less than the height that is set.
  vi.spyOn(HTMLTextAreaElement.prototype, "scrollHeight", "get").mockImplementation(function (
    this: HTMLTextAreaElement,
  ) {
    return Math.max(this.value.split("\n").length * LINE, Number.parseFloat(this.style.height) || 0);
  });
  const { rerender } = render(<Box text="" />);
  return ["one", "one\ntwo\nthree", "one\ntwo", ""].map((text) => {
    rerender(<Box text={text} />);
    return screen.getByRole("textbox").style.height;
  });
}

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a box grows and shrinks with its text in browsers without field-sizing", () => {
  expect(growIn({ sizesFields: false })).toEqual(["24px", "72px", "48px", "24px"]);
});

test("no height of a box is measured in browsers with field-sizing", () => {
  expect(growIn({ sizesFields: true })).toEqual(["", "", "", ""]);
});
