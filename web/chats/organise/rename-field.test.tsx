import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import "../../testing/english-texts.ts";
import { RenameField } from "./rename-field.tsx";

afterEach(cleanup);

function open() {
  const onEnd = vi.fn();
  render(<RenameField label="Name" name="Tides" maxLength={80} onEnd={onEnd} />);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
  field.value = "潮";
  return { field, onEnd };
}

test.each([
  ["Enter", "潮"],
  ["Escape", null],
])("the key %s ends the renaming of a chat", (key, name) => {
  const { field, onEnd } = open();
  fireEvent.keyDown(field, { key });
  expect(onEnd.mock.calls).toEqual([[name, true]]);
});

test.each([
  ["Enter", { isComposing: true }],
  ["Escape", { isComposing: true }],
  ["Enter", { keyCode: 229 }],
  ["Escape", { keyCode: 229 }],
])("the key %s with %o belongs to the input method during the composition of a name", (key, init) => {
  const { field, onEnd } = open();
  expect(fireEvent.keyDown(field, { key, ...init }), "not prevented").toBe(true);
  expect(onEnd).not.toHaveBeenCalled();
});
