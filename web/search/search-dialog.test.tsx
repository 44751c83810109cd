import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import "../testing/english-texts.ts";
import type { PaletteEntries } from "./palette-entry.ts";
import { SearchDialog } from "./search-dialog.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(isStep: boolean) {
  fakeApi({});
  const ends = { onClose: vi.fn(), onBack: vi.fn() };
  const scope = { label: "Theme", isStep, onBack: ends.onBack };
  const palette: PaletteEntries = { entriesFor: () => [], chats: [], recentLabel: "Recent", scope };
  render(
    <SearchDialog
      typed=""
      folders={[]}
      onClose={ends.onClose}
      onChoose={() => {}}
      palette={palette}
      onGone={() => {}}
    />,
  );
  return { field: screen.getByRole("combobox"), ...ends };
}

test("Escape goes one step back in the search, then closes the dialog", () => {
  const step = open(true);
  fireEvent.keyDown(step.field, { key: "Escape" });
  expect([step.onBack.mock.calls.length, step.onClose.mock.calls.length]).toEqual([1, 0]);
  cleanup();
  const first = open(false);
  fireEvent.keyDown(first.field, { key: "Escape" });
  expect([first.onBack.mock.calls.length, first.onClose.mock.calls.length]).toEqual([0, 1]);
});

test.each([true, false])(
  "Escape that cancels a composition neither goes back nor closes the search (a step: %s)",
  (isStep) => {
    const { field, onBack, onClose } = open(isStep);
    fireEvent.keyDown(field, { key: "Escape", isComposing: true });
    fireEvent.keyDown(field, { key: "Escape", keyCode: 229 });
    expect([onBack.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 0]);
  },
);
