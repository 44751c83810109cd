import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import "../../testing/english-texts.ts";
import { Dialog } from "./dialog.tsx";

afterEach(cleanup);

function open() {
  const onOpenChange = vi.fn();
  render(
    <Dialog isOpen onOpenChange={onOpenChange} title="Instructions">
      <input aria-label="Words" />
    </Dialog>,
  );
  return { field: screen.getByRole("textbox", { name: "Words" }), onOpenChange };
}

test("Escape closes the dialog", () => {
  const { field, onOpenChange } = open();
  fireEvent.keyDown(field, { key: "Escape" });
  expect(onOpenChange.mock.calls).toEqual([[false]]);
});

test.each([{ isComposing: true }, { keyCode: 229 }])(
  "Escape that cancels a composition (%o) does not close the dialog",
  (init) => {
    const { field, onOpenChange } = open();
    fireEvent.keyDown(field, { key: "Escape", ...init });
    expect(onOpenChange).not.toHaveBeenCalled();
  },
);
