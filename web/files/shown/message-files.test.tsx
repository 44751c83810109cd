import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AttachedFile } from "#contract/files/files.ts";
import { closeNotification, currentNotifications } from "../../ui/notifications/notify.ts";
import "../../testing/english-texts.ts";
import { type FakeAnswer, fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import { fakeObservers } from "../../testing/fakes/fake-observers.ts";
import MessageFiles from "./message-files.tsx";
import { PictureCache } from "./picture-cache.ts";
import { PicturesContext, pictures } from "./pictures.ts";

const photo: AttachedFile = {
  id: "p1",
  name: "photo.png",
  type: "image/png",
  size: 2_400_000,
  width: 1200,
  height: 800,
};
const second: AttachedFile = { ...photo, id: "p2", name: "second.jpg", type: "image/jpeg" };
const third: AttachedFile = { ...photo, id: "p3", name: "third.webp", type: "image/webp" };
const report: AttachedFile = { id: "r", name: "report.pdf", type: "application/pdf", size: 1_200_000, pages: 3 };

const bytes = (text: string): FakeAnswer => ({ text });

let near: ReturnType<typeof fakeObservers>;
const scrollNear = () =>
  act(() => {
    for (const report of near.values()) report(true);
  });
/** Names of saved files. */
let saved: string[] = [];
let urls = 0;

beforeEach(() => {
  saved = [];
  urls = 0;
  near = fakeObservers();
  // The box of the viewer.
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => `blob:${++urls}`);
  vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {});
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
afterEach(() => {
  cleanup();
  pictures.clear();
  for (const { id } of currentNotifications()) closeNotification(id);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = (...files: AttachedFile[]) => render(<MessageFiles files={files} />);
const button = (name: string | RegExp) => screen.findByRole("button", { name });

describe("pictures of a message", () => {
  test("pictures of a message are loaded near the view, with the token, in reserved space", async () => {
    const calls = fakeApi({ "GET /files/p1": bytes("x") });
    open(photo);
    const thumbnail = await button("Enlarge photo.png");
    const room = thumbnail.parentElement?.style;
    expect([room?.width, room?.aspectRatio]).toEqual(["320px", "320 / 213"]);
    expect(calls).toHaveLength(0);
    scrollNear();
    const image = await screen.findByRole("img", { name: "photo.png" });
    expect(image.getAttribute("src")).toBe("blob:1");
    expect(calls.map(({ path }) => path)).toEqual(["/files/p1"]);
  });

  test("pictures of a message come from the cache that its page provides", async () => {
    const calls = fakeApi({});
    const read = vi.fn(async () => new Blob(["x"]));
    const others = new PictureCache(read);
    render(
      <PicturesContext value={others}>
        <MessageFiles files={[photo]} />
      </PicturesContext>,
    );
    await button("Enlarge photo.png");
    scrollNear();
    await screen.findByRole("img", { name: "photo.png" });
    expect(read).toHaveBeenCalledExactlyOnceWith("p1", expect.any(AbortSignal));
    expect(calls).toEqual([]);
    others.clear();
  });

  test("pictures of a message are squares in rows, of which an incomplete one stands at the side of the text", async () => {
    fakeApi({});
    open(...["1", "2", "3", "4", "5"].map((id) => ({ ...photo, id, name: `${id}.png` })));
    await button("Enlarge 1.png");
    const grid = screen.getAllByRole("list").at(-1);
    expect(grid?.style.gridTemplateColumns).toBe("repeat(3, minmax(0, 1fr))");
    const squares = within(grid ?? document.body).getAllByRole("listitem");
    expect(squares.map(({ style }) => style.gridColumnStart)).toEqual(["", "", "", "2", ""]);
  });

  test("pictures that the browser cannot decode have an icon, and can still be opened", async () => {
    fakeApi({ "GET /files/p1": bytes("x") });
    open(photo);
    scrollNear();
    fireEvent.error(await screen.findByRole("img", { name: "photo.png" }));
    expect(screen.queryByRole("img", { name: "photo.png" })).toBeNull();
    expect((await button("Enlarge photo.png")).querySelector("svg")).not.toBeNull();
  });

  test("pictures that could not be loaded are named, and loaded again on request", async () => {
    fakeApi({ "GET /files/p1": [{ status: 503, text: "" }, bytes("x")] });
    open(photo);
    scrollNear();
    fireEvent.click(await button("Retry photo.png"));
    expect(await screen.findByRole("img", { name: "photo.png" })).toBeTruthy();
  });

  test("pictures that are gone show so and offer no retry", async () => {
    fakeApi({ "GET /files/p1": problem(404, "file-gone") });
    const { container } = open(photo);
    scrollNear();
    await waitFor(() => expect(container.textContent).toContain("No longer here"));
    expect(container.textContent).toContain("photo.png");
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("the viewer of pictures", () => {
  const server = () =>
    fakeApi({ "GET /files/p1": bytes("1"), "GET /files/p2": bytes("22"), "GET /files/p3": bytes("333") });
  const show = async (name = "second.jpg") => {
    server();
    open(photo, second, report, third);
    fireEvent.click(await button(`Enlarge ${name}`));
    const dialog = await screen.findByRole("dialog");
    await within(dialog).findByRole("img", { name });
    return dialog;
  };
  const shownName = (dialog: HTMLElement) => within(dialog).getByRole("heading").textContent;
  const press = (dialog: HTMLElement, key: string) => act(async () => void fireEvent.keyDown(dialog, { key }));
  const scaleOf = (dialog: HTMLElement) =>
    /scale\(([\d.]+)\)/.exec(dialog.querySelector("img")?.style.transform ?? "")?.[1];

  test("the viewer steps through pictures by keys and buttons, and ends at the first and last", async () => {
    const dialog = await show();
    expect(document.activeElement).toBe(dialog);
    expect(shownName(dialog)).toBe("second.jpg");
    expect(within(dialog).getByRole("status").textContent).toBe("second.jpg, 2 of 3");
    await press(dialog, "ArrowRight");
    expect(shownName(dialog)).toBe("third.webp");
    await press(dialog, "ArrowRight");
    expect(shownName(dialog)).toBe("third.webp");
    expect(within(dialog).getByRole("button", { name: "Next picture" }).getAttribute("aria-disabled")).toBe("true");
    await press(dialog, "ArrowLeft");
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Previous picture" })));
    expect(shownName(dialog)).toBe("photo.png");
  });

  test("the viewer steps the other way on a page that is read from right to left", async () => {
    document.dir = "rtl";
    const dialog = await show();
    await press(dialog, "ArrowRight");
    document.dir = "ltr";
    expect(shownName(dialog)).toBe("photo.png");
  });

  test("the viewer zooms by keys, buttons and double click; arrows then move the picture", async () => {
    const dialog = await show();
    // 1200 x 800 pixels in a box of 600 x 400.
    expect(scaleOf(dialog)).toBe("0.5");
    await press(dialog, "+");
    expect(scaleOf(dialog)).toBe("0.625");
    await press(dialog, "ArrowRight");
    expect(shownName(dialog)).toBe("second.jpg");
    await press(dialog, "-");
    expect(scaleOf(dialog)).toBe("0.5");
    const image = within(dialog).getByRole("img");
    await act(async () => fireEvent.doubleClick(image));
    expect(scaleOf(dialog)).toBe("1.25");
    await press(dialog, "0");
    expect(scaleOf(dialog)).toBe("0.5");
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Zoom in" })));
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Next picture" })));
    expect(scaleOf(dialog)).toBe("0.5");
  });

  test("the viewer steps by a swipe of one finger, not by one that moves an enlarged picture", async () => {
    const dialog = await show();
    const swipe = async (from: number, to: number) => {
      const area = within(dialog).getByRole("img").parentElement ?? dialog;
      const at = { pointerId: 1, isPrimary: true, pointerType: "touch", clientY: 100, button: 0 };
      area.setPointerCapture = () => {};
      await act(async () => {
        fireEvent(area, new PointerEvent("pointerdown", { ...at, clientX: from, bubbles: true }));
        fireEvent(area, new PointerEvent("pointerup", { ...at, clientX: to, bubbles: true }));
      });
    };
    await swipe(300, 280);
    expect(shownName(dialog)).toBe("second.jpg");
    await swipe(300, 100);
    expect(shownName(dialog)).toBe("third.webp");
    await swipe(100, 300);
    expect(shownName(dialog)).toBe("second.jpg");
    await press(dialog, "+");
    await swipe(100, 300);
    expect(shownName(dialog)).toBe("second.jpg");
  });

  test("the viewer saves a picture without another request, and Escape returns the focus to its thumbnail", async () => {
    const calls = server();
    open(photo);
    const thumbnail = await button("Enlarge photo.png");
    thumbnail.focus();
    fireEvent.click(thumbnail);
    const dialog = await screen.findByRole("dialog");
    await within(dialog).findByRole("img");
    expect(dialog.contains(document.activeElement)).toBe(true);
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Download photo.png" })));
    expect(saved).toEqual(["photo.png"]);
    expect(calls).toHaveLength(1);
    await press(dialog, "Escape");
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(thumbnail));
  });

  test("the viewer offers to load a picture again", async () => {
    fakeApi({ "GET /files/p1": [{ status: 503, text: "" }, bytes("1")] });
    open(photo);
    fireEvent.click(await button("Enlarge photo.png"));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(await within(dialog).findByRole("button", { name: "Retry" }));
    expect(await within(dialog).findByRole("img")).toBeTruthy();
    expect(document.activeElement).toBe(within(dialog).getByRole("button", { name: "Close" }));
  });
});

describe("other files of a message", () => {
  test("a file is a card with its kind, size, pages and remark", async () => {
    const { container } = open({ ...report, remark: "scanned" });
    expect(container.textContent).toContain("PDF · 1.2 MB · 3 pages");
    expect(container.textContent).toContain("No readable text: the pages are pictures");
    const card = await button(/^report\.pdf PDF · 1.2 MB · 3 pages No readable text: the pages are pictures$/);
    expect(card.getAttribute("aria-description")).toBe("Open report.pdf");
  });

  test("a file opens what models receive of it, and is saved beside it", async () => {
    fakeApi({ "GET /files/n/text": { json: { text: "One\nTwo", remark: "cut" } }, "GET /files/n": bytes("One\nTwo") });
    open({ id: "n", name: "notes.md", type: "text/markdown", size: 7 });
    fireEvent.click(await button(/^notes\.md/));
    const dialog = await screen.findByRole("dialog", { name: "notes.md" });
    await waitFor(() => expect(dialog.textContent).toContain("One\nTwo"));
    expect(dialog.textContent).toContain("Only the beginning of the text can be read");
    fireEvent.click(within(dialog).getByRole("button", { name: "Download notes.md" }));
    await waitFor(() => expect(saved).toEqual(["notes.md"]));
  });

  test.each([
    [problem(404, "not-found"), "report.pdf is no longer here."],
    [{ status: 503, text: "" }, "report.pdf could not be downloaded. Please try again."],
  ] as const)("a file that cannot be saved shows the reason: %#", async (answer, words) => {
    fakeApi({ "GET /files/r": answer });
    open(report);
    fireEvent.click(await button("Download report.pdf"));
    await waitFor(() => expect(currentNotifications().map(({ text }) => text)).toEqual([words]));
    expect(saved).toEqual([]);
  });
});
