import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createRef, useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import "../testing/english-texts.ts";
import { ReadingTools } from "./window-edges.tsx";

const nowhere = createRef<HTMLElement>();
const range = {
  start: 0,
  end: 9,
  isToEnd: true,
  showEnd() {},
  showEarlier() {},
  showLater() {},
  showAround() {},
  pin() {},
};
const onJump = vi.fn();

function Tools({ messages, isAtEnd }: { messages: ClientMessage[]; isAtEnd: boolean }) {
  const slot = useRef<HTMLElement>(null);
  const rects = { box: nowhere, list: nowhere, above: nowhere, below: nowhere };
  return (
    <>
      <ReadingTools chat="a" {...{ messages, isAtEnd, range, onJump, ...rects }} jumpSlot={slot} />
      <span ref={slot} data-testid="slot" />
    </>
  );
}

const message = (key: string, content = ""): ClientMessage => ({
  ...{ key, id: key, role: "assistant", content, state: "complete", loading: false },
});
const jump = () => screen.queryByRole("button")?.getAttribute("aria-label") ?? null;

beforeEach(() => onJump.mockReset());
afterEach(cleanup);

test("the button to the newest message counts other messages than the one that the reader has seen grow", () => {
  const { rerender } = render(<Tools messages={[message("question"), message("answer")]} isAtEnd />);
  expect(jump()).toBeNull();
  rerender(<Tools messages={[message("question"), message("answer", "It grows")]} isAtEnd={false} />);
  expect(jump()).toBe("Jump to newest");
  const more = [message("question"), message("answer", "It grows"), message("other"), message("reply")];
  rerender(<Tools messages={more} isAtEnd={false} />);
  expect(jump()).toBe("Jump to newest, 2 new");
  expect(screen.getByTestId("slot").textContent).toBe("2");
  fireEvent.click(screen.getByRole("button"));
  expect(onJump).toHaveBeenCalledOnce();
  rerender(<Tools messages={more} isAtEnd />);
  expect(jump()).toBeNull();
});
