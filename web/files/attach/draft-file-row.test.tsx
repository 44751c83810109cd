import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Store } from "../../store/store.ts";
import { closeNotification, currentNotifications, runLatestAction } from "../../ui/notifications/notify.ts";
import "../../testing/english-texts.ts";
import { fakeApi } from "../../testing/fakes/fake-api.ts";
import type { DraftFile } from "../draft-files.ts";
import DraftFileRow from "./draft-file-row.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const { id } of currentNotifications()) closeNotification(id);
});

const report: DraftFile = {
  ...{ id: "r", name: "report.pdf", type: "application/pdf", size: 1_200_000 },
  ...{ state: "uploading", progress: 0.25 },
};
const photo: DraftFile = { ...report, id: "p", name: "photo.png", type: "image/png", preview: "blob:photo" };
const notes: DraftFile = { ...report, id: "n", name: "notes.md", type: "text/markdown", state: "ready", progress: 1 };

function open(...all: DraftFile[]) {
  const files = new Store<readonly DraftFile[]>(all);
  const removed: DraftFile[] = [];
  const draft = {
    files,
    remove: vi.fn((id: string) => {
      removed.push(...files.get().filter((file) => file.id === id));
      files.set(files.get().filter((file) => file.id !== id));
    }),
    undoRemove: vi.fn((id: string) => {
      const found = removed.filter((file) => file.id === id);
      files.set([...files.get(), ...found]);
      return found.length > 0;
    }),
    retry: vi.fn((id: string) => change(id, { state: "uploading" })),
  };
  const change = (id: string, more: Partial<DraftFile>) =>
    act(() => files.set(files.get().map((file) => (file.id === id ? { ...file, ...more } : file))));
  const onEmptied = vi.fn();
  render(<DraftFileRow {...{ draft, onEmptied }} />);
  return { draft, onEmptied, change, files };
}

const row = () => screen.getByRole("list", { name: "Attached files" });
const remove = (name: string) => screen.getByRole("button", { name: `Remove ${name}` });
const announced = () => screen.getByRole("status").textContent;

test("attached pictures are thumbnails, other files cards, each with its state in words", () => {
  open(report, photo, notes);
  const [card, thumbnail, ready] = within(row()).getAllByRole("listitem");
  expect(card?.textContent).toContain("report.pdf");
  expect(card?.textContent).toContain("Uploading…");
  expect(thumbnail?.querySelector("img")?.getAttribute("src")).toBe("blob:photo");
  expect(thumbnail?.textContent).toContain("Uploading…");
  expect(ready?.textContent).toContain("Text · 1.2 MB");
  expect(ready?.textContent).not.toContain("…");
});

test("an attached picture whose bytes are not here is read from the server once it is ready", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:stored");
  const calls = fakeApi({ "GET /files/p": { text: "x" } });
  const { preview: _preview, ...bare } = photo;
  const { change } = open(bare);
  expect(calls).toEqual([]);
  change("p", { state: "ready", progress: 1 });
  expect((await screen.findByRole("img", { name: "photo.png" })).getAttribute("src")).toBe("blob:stored");
});

test("a picture that the browser cannot decode has an icon", () => {
  const { change } = open(photo);
  const undecoded = () => {
    const picture = row().querySelector("img");
    if (picture) fireEvent.error(picture);
    expect(row().querySelector("img")).toBeNull();
    expect(row().querySelector("svg")).not.toBeNull();
  };
  undecoded();
  expect(row().textContent).toContain("photo.png");
  change("p", { state: "failed", error: "unavailable", canRetry: true });
  undecoded();
});

test("the list of attached files scrolls to files that were added or have failed", () => {
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => {});
  const { files, change } = open(report, photo);
  expect(scrolled).not.toHaveBeenCalled();
  act(() => files.set([...files.get(), notes]));
  change("r", { progress: 0.5 });
  change("r", { state: "failed", error: "unavailable", canRetry: true });
  expect(scrolled.mock.contexts.map((each) => (each instanceof Element ? each.textContent : ""))).toEqual([
    expect.stringContaining("notes.md"),
    expect.stringContaining("report.pdf"),
  ]);
});

test("an attached file that waits for the network shows so", () => {
  const { change } = open(report);
  change("r", { state: "waiting", error: "offline" });
  expect(row().textContent).toContain("Waiting for a connection");
});

test("Delete and Backspace remove the focused file; the focus goes to its neighbour, then to the box", () => {
  const { draft, onEmptied } = open(report, photo, notes);
  act(() => remove("photo.png").focus());
  fireEvent.keyDown(remove("photo.png"), { key: "Delete" });
  expect(draft.remove).toHaveBeenCalledWith("p");
  expect(document.activeElement).toBe(remove("notes.md"));
  fireEvent.keyDown(remove("notes.md"), { key: "Backspace" });
  expect(document.activeElement).toBe(remove("report.pdf"));
  expect(onEmptied).not.toHaveBeenCalled();
  fireEvent.keyDown(remove("report.pdf"), { key: "a" });
  fireEvent.click(remove("report.pdf"));
  expect(onEmptied).toHaveBeenCalledOnce();
  expect(screen.queryByRole("list")).toBeNull();
});

test("a removed file is restored by the notification", () => {
  const { draft } = open(report);
  fireEvent.click(remove("report.pdf"));
  expect(currentNotifications().map(({ text }) => text)).toEqual(["report.pdf was removed."]);
  act(() => void runLatestAction());
  expect(draft.undoRemove).toHaveBeenCalledWith("r");
  expect(remove("report.pdf")).toBeTruthy();
});

test("several removed files are restored by one notification; a failed file is removed without any", () => {
  const { draft, change } = open(report, photo, notes);
  change("n", { state: "failed", error: "unavailable", canRetry: true });
  for (const name of ["report.pdf", "photo.png", "notes.md"]) fireEvent.click(remove(name));
  expect(draft.remove).toHaveBeenCalledTimes(3);
  expect(currentNotifications().map(({ text }) => text)).toEqual(["2 files were removed."]);
  act(() => void runLatestAction());
  expect(draft.undoRemove.mock.calls).toEqual([["p"], ["r"]]);
});

test("a removal of a file that cannot be undone any more shows a message", () => {
  const { draft } = open(report);
  draft.undoRemove.mockReturnValue(false);
  fireEvent.click(remove("report.pdf"));
  act(() => void runLatestAction());
  expect(currentNotifications().map(({ text }) => text)).toEqual(["report.pdf is no longer here."]);
});

test("a failed file has its error and Retry, after which the focus stays at the file", () => {
  const { draft, change } = open(photo);
  change("p", { state: "failed", error: "quota-reached", canRetry: true });
  expect(row().textContent).toContain("as large as it can be");
  const retry = screen.getByRole("button", { name: "Retry photo.png" });
  act(() => retry.focus());
  fireEvent.click(retry);
  expect(draft.retry).toHaveBeenCalledWith("p");
  expect(document.activeElement).toBe(remove("photo.png"));
});

test("a file that can never be sent leaves the draft, and one notification names it", () => {
  const { draft, change } = open(report, notes);
  change("r", { state: "failed", error: "file-type" });
  expect(draft.remove.mock.calls).toEqual([["r"]]);
  expect(screen.queryByRole("button", { name: "Remove report.pdf" })).toBeNull();
  expect(currentNotifications().map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Not attached:\nreport\.pdf: Files of this kind cannot be attached\./),
  ]);
  expect(announced()).toBe("");
});

test.each([
  ["no-decoder/TIFF", /TIFF pictures cannot be attached: .* JPEG, PNG, WebP, GIF, AVIF, and BMP can\.$/],
  ["no-canvas/AVIF", /AVIF pictures cannot be attached: .* JPEG, PNG, WebP, and GIF can\.$/],
])("the refusal of a picture names its kind, and those that this browser can attach: %s", (error, words) => {
  const { change } = open(report);
  change("r", { state: "failed", error });
  expect(currentNotifications().map(({ text }) => text)).toEqual([expect.stringMatching(words)]);
});

test("the end of each upload is announced, its progress is not", () => {
  const { change } = open(report, photo);
  expect(announced()).toBe("");
  change("r", { progress: 0.9 });
  change("r", { state: "reading" });
  expect(announced()).toBe("");
  change("r", { state: "ready", progress: 1 });
  expect(announced()).toBe("report.pdf uploaded");
  change("p", { state: "failed", error: "upload-moved", canRetry: true });
  expect(announced()).toBe("photo.png: The upload has another length than expected. Please try again.");
  change("p", { state: "uploading" });
  change("p", { state: "failed", error: "upload-moved", canRetry: true });
  expect(announced()).toMatch(/^photo\.png: .*\u00A0$/);
});

test("an attached file opens once it is ready, and keys in the viewer do not remove it", async () => {
  fakeApi({ "GET /files/n/text": { json: { text: "Fjords" } } });
  const { draft, change } = open({ ...report, id: "n", name: "notes.md", type: "text/markdown" });
  expect(screen.queryByRole("button", { name: "Open notes.md" })).toBeNull();
  change("n", { state: "ready", file: { id: "n", name: "notes.md", type: "text/markdown", size: 7 } });
  const opener = screen.getByRole("button", { name: "Open notes.md" });
  opener.focus();
  fireEvent.click(opener);
  const dialog = await screen.findByRole("dialog", { name: "notes.md" });
  expect(await within(dialog).findByText("Fjords")).toBeTruthy();
  fireEvent.keyDown(dialog, { key: "Delete" });
  expect(draft.remove).not.toHaveBeenCalled();
  await act(async () => void fireEvent.keyDown(dialog, { key: "Escape" }));
  await waitFor(() => expect(document.activeElement).toBe(opener));
  fireEvent.keyDown(opener, { key: "Delete" });
  expect(draft.remove).toHaveBeenCalledWith("n");
});
