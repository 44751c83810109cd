import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { DraftFile } from "../../files/draft-files.ts";
import "../../testing/english-texts.ts";
import { closeNotification, currentNotifications } from "../../ui/notifications/notify.ts";
import { ComposerBox } from "../composer-box.ts";
import QueuedFiles from "./queued-files.tsx";

afterEach(() => {
  cleanup();
  for (const { id } of currentNotifications()) closeNotification(id);
});

const note = (id: string, more: Partial<DraftFile> = {}): DraftFile => ({
  ...{ id, name: `${id}.txt`, type: "text/plain", size: 10, state: "ready", progress: 1 },
  ...more,
});

function open(...files: DraftFile[]) {
  const draft = { remove: vi.fn(), retry: vi.fn() };
  const box = { current: null as HTMLTextAreaElement | null };
  render(
    <ComposerBox value={box}>
      <QueuedFiles files={files} draft={draft} />
      <textarea ref={box} />
    </ComposerBox>,
  );
  return draft;
}

test("a queued message names four files, and counts the others", () => {
  open(...["a", "b", "c", "d", "e", "f"].map((id) => note(id)));
  const names = within(screen.getByRole("list", { name: "Attached files" })).getAllByRole("listitem");
  expect(names).toHaveLength(5);
  expect(names[4]?.textContent).toBe("+2e.txt, f.txt");
});

test("a queued message shows at once why a file has failed, and retries or removes it", () => {
  const draft = open(
    note("a"),
    note("b", { state: "failed", error: "file-type" }),
    note("c", { state: "failed", error: "unavailable", canRetry: true }),
  );
  expect(screen.getByText(/^Files of this kind cannot be attached/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Retry b.txt" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Retry c.txt" }));
  expect(draft.retry).toHaveBeenCalledWith("c");
  expect(document.activeElement).toBe(screen.getByRole("textbox"));
  fireEvent.click(screen.getByRole("button", { name: "Remove b.txt" }));
  expect(draft.remove).toHaveBeenCalledWith("b");
  expect(currentNotifications()).toEqual([]);
});
