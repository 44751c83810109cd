import { act, cleanup, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AttachedFile } from "#contract/files/files.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { toFileParts } from "../../chats/state/file-parts.ts";
import "../../testing/english-texts.ts";
import { ChatSessionContext } from "../chat-session.ts";
import { openStoredSession } from "../stored-session.ts";
import { MessageItem } from "./message-item.tsx";
import { SessionMessages } from "./session-messages.tsx";

const photo: AttachedFile = { id: "p", name: "photo.png", type: "image/png", size: 100, width: 640, height: 480 };
const report: AttachedFile = { id: "r", name: "report.pdf", type: "application/pdf", size: 100 };

beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(content: string, ...files: AttachedFile[]) {
  const session = openStoredSession("");
  const parts = [...toFileParts(files), { seq: 9, at: 0, kind: "hologram" }];
  const message: ClientMessage = { key: "m", id: "m", role: "user", content, state: "complete", loading: false, parts };
  const item = { message, chat: "a", isLast: true, isFar: false, notice: null, isWanted: false };
  return render(
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <MemoryRouter>
          <ol>
            <SessionMessages chat="a">
              <MessageItem {...item} />
            </SessionMessages>
          </ol>
        </MemoryRouter>
      </Provider>
    </ChatSessionContext>,
  );
}

test("the space of a question's files is reserved while their module loads, above the text", async () => {
  const { container } = show("What is this?", photo, report);
  const room = container.querySelector<HTMLElement>("[style*=aspect-ratio]");
  expect([room?.style.width, room?.style.aspectRatio]).toEqual(["320px", "320 / 240"]);
  expect(container.querySelectorAll(".h-14\\.5.w-72")).toHaveLength(1);
  await act(() => vi.dynamicImportSettled());
  const files = screen.getByRole("list", { name: "Attached files" });
  const text = screen.getByText("What is this?");
  expect(files.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(screen.getByRole("button", { name: "Enlarge photo.png" })).toBeTruthy();
  expect(screen.getByRole("button", { name: /^report\.pdf/ })).toBeTruthy();
});

test("a question without text has no empty bubble and nothing to copy", async () => {
  const { container } = show("", report);
  await act(() => vi.dynamicImportSettled());
  expect(container.querySelector("[data-words]")).toBeNull();
  expect(screen.queryByRole("button", { name: "Copy message" })).toBeNull();
});

test("a question without files has no list of them", async () => {
  show("Words");
  await act(() => vi.dynamicImportSettled());
  expect(screen.queryByRole("list", { name: "Attached files" })).toBeNull();
});
