import { act, cleanup, render, screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useFollowEnd } from "./use-follow-end.ts";

const box = { scrollTop: 0, scrollHeight: 1000, clientHeight: 400 };
let grown: () => void = () => {};
let showQuestion: ReturnType<typeof useFollowEnd>["showQuestion"] = () => {};

function List() {
  const follow = useFollowEnd(true, () => {});
  const { scroller, list, room, isAtEnd, jump } = follow;
  showQuestion = follow.showQuestion;
  useLayoutEffect(jump, [jump]);
  const setBox = (element: HTMLDivElement | null) => {
    scroller.current = element;
    if (!element) return;
    for (const name of ["scrollHeight", "clientHeight"] as const) {
      Object.defineProperty(element, name, { configurable: true, get: () => box[name] });
    }
    Object.defineProperty(element, "scrollTop", {
      configurable: true,
      get: () => box.scrollTop,
      set: (top: number) => {
        box.scrollTop = Math.min(top, box.scrollHeight - box.clientHeight);
      },
    });
  };
  return (
    <div ref={setBox} data-testid="box">
      <ol ref={list} />
      <div ref={room} />
      {!isAtEnd && (
        <button type="button" onClick={jump}>
          Jump
        </button>
      )}
    </div>
  );
}

const gap = () => box.scrollHeight - box.scrollTop - box.clientHeight;
const isJumpOffered = () => screen.queryByRole("button") !== null;

function scroll(by: number): void {
  box.scrollTop += by;
  act(() => void screen.getByTestId("box").dispatchEvent(new Event("scroll")));
}

function grow(by: number): void {
  box.scrollHeight += by;
  // A browser clamps the scroll position.
  box.scrollTop = Math.min(box.scrollTop, box.scrollHeight - box.clientHeight);
  act(() => grown());
}

beforeEach(() => {
  Object.assign(box, { scrollTop: 0, scrollHeight: 1000, clientHeight: 400 });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        grown = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  render(<List />);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("the end of a chat is followed while the content grows", () => {
  expect(gap()).toBe(0);
  grow(300);
  expect(gap()).toBe(0);
});

test("scrolling up slightly stops following", () => {
  scroll(-20);
  grow(30);
  expect(gap()).toBe(50);
  expect(isJumpOffered()).toBe(true);
});

test("scrolling back near the end resumes following", () => {
  scroll(-200);
  grow(100);
  expect(gap()).toBe(300);
  scroll(270);
  grow(100);
  expect(gap()).toBe(0);
  expect(isJumpOffered()).toBe(false);
});

test("shrinking content does not stop following", () => {
  grow(-100);
  grow(300);
  expect(gap()).toBe(0);
});

test("a taller view does not stop following", () => {
  box.clientHeight = 600;
  grow(0);
  grow(300);
  expect(gap()).toBe(0);
});

test("a question that is removed does not stop following", () => {
  const element = document.createElement("li");
  screen.getByRole("list").append(element);
  act(() => showQuestion({ element, has: "text" }));
  element.remove();
  grow(-100);
  expect(gap()).toBe(0);
  grow(300);
  expect(gap()).toBe(0);
});
