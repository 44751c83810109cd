import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type AttachedFile, PDF_TYPE } from "#contract/files/files.ts";
import "../../testing/english-texts.ts";
import { type FakeAnswer, fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import { fakeObservers } from "../../testing/fakes/fake-observers.ts";
import { addLocalFile, removeLocalFile } from "../local-files.ts";
import FileViewer from "./file-viewer.tsx";
import type { PdfAnswer, PdfRequest } from "./pdf-messages.ts";

const pdf: AttachedFile = { id: "r", name: "report.pdf", type: PDF_TYPE, size: 1_200_000, pages: 3 };
const document = (name: string, type: string, more: Partial<AttachedFile> = {}): AttachedFile => ({
  ...{ id: "r", name, type, size: 2000 },
  ...more,
});
const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const A4 = { width: 595, height: 842 };

/** Stands for the worker of pdf.js. Answers each request by `answerTo`; undefined: never. */
class FakeWorker extends EventTarget {
  static last: FakeWorker | undefined;
  static answerTo: (request: PdfRequest) => PdfAnswer | undefined = () => undefined;
  requests: PdfRequest[] = [];
  isTerminated = false;
  constructor() {
    super();
    FakeWorker.last = this;
  }
  postMessage(request: PdfRequest) {
    this.requests.push(request);
    const data = FakeWorker.answerTo(request);
    if (data) queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })));
  }
  terminate() {
    this.isTerminated = true;
  }
}
vi.mock("./start-pdf-worker.ts", () => ({ startPdfWorker: () => new FakeWorker() }));

/** Makes an element near the view, or far from it. */
let near: ReturnType<typeof fakeObservers>;
const bitmap = { close: vi.fn() } as unknown as ImageBitmap;
const draws = (pages: number): typeof FakeWorker.answerTo => {
  return ({ kind }) => (kind === "open" ? { kind: "opened", pages, first: A4 } : { kind: "drawn", bitmap, size: A4 });
};

beforeEach(() => {
  FakeWorker.last = undefined;
  FakeWorker.answerTo = draws(3);
  near = fakeObservers();
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(624);
});
afterEach(() => {
  cleanup();
  removeLocalFile("r");
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const PAGES = "[Page 1]\nThe first words\n\n[Page 2]\n\n[Page 3: damaged]";
const serve = (text: FakeAnswer, bytes: FakeAnswer = { text: "%PDF" }) =>
  fakeApi({ "GET /files/r/text": text, "GET /files/r": bytes });
const open = (file: AttachedFile = pdf) => {
  const onClose = vi.fn();
  render(<FileViewer files={[file]} start={file} onClose={onClose} />);
  return onClose;
};
const received = () => screen.getByRole("region", { name: "What models receive" });
const pages = () => screen.getByRole("region", { name: "Pages" });
const page = async (n: number) => {
  const found = await screen.findByRole("img", { name: `Page ${n} of 3` });
  // Its effects observe it.
  await act(async () => undefined);
  return found;
};
const drawn = () => FakeWorker.last?.requests.flatMap((request) => (request.kind === "draw" ? [request.page] : []));
const come = (element: Element, isNear = true) => act(async () => near.get(element)?.(isNear));
const expectDrawn = (...expected: number[]) => waitFor(() => expect(drawn()).toEqual(expected));

test("the pages of a PDF are drawn while they are near the view, as wide as their column", async () => {
  serve({ json: { text: PAGES } });
  open();
  const second = await page(2);
  expect(drawn()).toEqual([]);
  await come(second);
  await expectDrawn(2);
  expect(second.style.width).toBe("600px");
  expect(window.document.activeElement).toBe(pages());
  await come(second, false);
  await come(await page(3));
  await come(second);
  await expectDrawn(2, 3, 2);
});

test("the text of each page of a PDF stands beside the pages, and what models do not receive is named", async () => {
  serve({ json: { text: PAGES } });
  open();
  await waitFor(() => expect(received().textContent).toContain("The first words"));
  expect(
    within(received())
      .getAllByRole("heading")
      .map(({ textContent }) => textContent),
  ).toEqual(["What models receive", "Page 1", "Page 2", "Page 3"]);
  expect(received().textContent).toContain("Models that read PDF files receive the file itself");
  expect(received().textContent).toContain("No text on this page: models receive nothing of it as text.");
  expect(received().textContent).toContain("This page is damaged: models receive no text of it.");
});

test("a scanned PDF has no text, and models that do not read PDF files receive only its name", async () => {
  serve({ json: { text: "", remark: "scanned" } });
  open({ ...pdf, remark: "scanned" });
  await waitFor(() => expect(received().textContent).toContain("No readable text: the pages are pictures"));
  expect(received().textContent).toContain("Other models receive only its name.");
  expect(await page(1)).toBeTruthy();
});

test("a text that is cut names the pages that are left out", async () => {
  serve({ json: { text: "[Page 1]\nOne\n\n[Page 2]\nTw", remark: "cut" } });
  open({ ...pdf, pages: 9, remark: "cut" });
  await waitFor(() => expect(received().textContent).toContain("The last 7 pages are left out."));
});

test.each([
  ["encrypted", "A password protects this PDF, so its pages cannot be shown here."],
  ["broken", "This PDF is damaged. Its pages cannot be shown."],
] as const)("a PDF that is %s is refused with a sentence and its download", async (reason, words) => {
  serve({ json: { text: PAGES } });
  FakeWorker.answerTo = () => ({ kind: "refused", reason });
  open();
  expect((await within(pages()).findByRole("alert")).textContent).toBe(words);
  expect(within(pages()).getByRole("button", { name: "Download" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Zoom in" })).toHaveProperty("disabled", true);
});

test("a PDF that the server found too complex is not opened in the browser", async () => {
  const calls = serve({ json: { text: "", remark: "too-complex" } });
  open({ ...pdf, remark: "too-complex" });
  expect((await within(pages()).findByRole("alert")).textContent).toBe("This PDF is too complex to be shown here.");
  expect(FakeWorker.last).toBeUndefined();
  expect(calls.map(({ path }) => path)).toEqual(["/files/r/text"]);
});

test("a page that takes too long to draw ends the worker, and the download is offered", async () => {
  serve({ json: { text: PAGES } });
  FakeWorker.answerTo = (request) => (request.kind === "open" ? draws(3)(request) : undefined);
  open();
  const first = await page(1);
  vi.useFakeTimers();
  await come(first);
  await act(() => vi.advanceTimersByTimeAsync(14_000));
  expect(FakeWorker.last?.isTerminated).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(FakeWorker.last?.isTerminated).toBe(true);
  expect(within(pages()).getByRole("alert").textContent).toContain("took too long");
  expect(within(pages()).getByRole("button", { name: "Download" })).toBeTruthy();
});

test("a damaged page says so, and the others are drawn", async () => {
  serve({ json: { text: PAGES } });
  FakeWorker.answerTo = (request) =>
    request.kind === "draw" && request.page === 1 ? { kind: "undrawn" } : draws(3)(request);
  open();
  await come(await page(1));
  expect(await screen.findByRole("img", { name: "Page 1 of 3. This page is damaged" })).toBeTruthy();
  await come(await page(2));
  await expectDrawn(1, 2);
});

test("the worker that draws a PDF ends with the viewer", async () => {
  serve({ json: { text: PAGES } });
  const onClose = open();
  await page(1);
  await act(async () => void fireEvent.keyDown(pages(), { key: "Escape" }));
  expect(onClose).toHaveBeenCalledOnce();
  cleanup();
  expect(FakeWorker.last?.isTerminated).toBe(true);
});

test("the keys plus, minus and 0 zoom the pages, between half and four times the width of their column", async () => {
  serve({ json: { text: PAGES } });
  open();
  const first = await page(1);
  const press = (key: string, times = 1) =>
    act(async () => {
      for (let time = 0; time < times; time++) fireEvent.keyDown(pages(), { key });
    });
  await press("+");
  expect(first.style.width).toBe("750px");
  await press("+", 20);
  expect(first.style.width).toBe("2400px");
  await press("-", 40);
  expect(first.style.width).toBe("300px");
  await press("0");
  expect(first.style.width).toBe("600px");
});

test("a PDF whose bytes are not reached is opened again on request, and one that is gone says so", async () => {
  serve({ json: { text: PAGES } }, [{ status: 503, text: "" }, problem(404, "file-gone")] as never);
  open();
  fireEvent.click(await within(pages()).findByRole("button", { name: "Retry" }));
  expect(window.document.activeElement).toBe(pages());
  await waitFor(() => expect(pages().textContent).toContain("This file is no longer here."));
  expect(within(pages()).queryByRole("button")).toBeNull();
});

test("a PDF of a temporary chat is drawn from this page's bytes, and its text is said to be at the server only", async () => {
  const calls = serve({ json: { text: PAGES } });
  addLocalFile("r", new Blob(["%PDF"]));
  open();
  expect(await page(1)).toBeTruthy();
  expect(received().textContent).toContain("The text is not shown here");
  expect(calls).toEqual([]);
});

test.each([
  ["in UTF-8", new TextEncoder().encode("Fjörd"), "Fjörd"],
  ["in another encoding", Uint8Array.of(0x46, 0xf6), "The text is not shown here"],
])("a text of a temporary chat %s is read in this page if it can be", async (_, bytes, words) => {
  const calls = fakeApi({});
  addLocalFile("r", new Blob([bytes]));
  open(document("notes.md", "text/markdown"));
  await waitFor(() => expect(received().textContent).toContain(words));
  expect(calls).toEqual([]);
});

test("a workbook is shown by sheets, each as a table", async () => {
  serve({ json: { text: '# Sales\nYear,"Net, total"\n2025,12\n\n# Notes\nonly one column\n\n# Empty' } });
  open(document("sales.xlsx", WORKBOOK));
  await waitFor(() => expect(within(received()).getAllByRole("table")).toHaveLength(1));
  const cells = within(received()).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual(["Year", "Net, total", "2025", "12"]);
  expect(received().textContent).toContain("only one column");
  expect(received().textContent).toContain("No cells in this sheet");
  expect(screen.queryByRole("region", { name: "Pages" })).toBeNull();
  expect(window.document.activeElement).toBe(received());
});

test("a table with too many cells is shown as its text", async () => {
  const text = Array.from({ length: 2001 }, (_, at) => `${at},x`).join("\n");
  serve({ json: { text } });
  open(document("many.csv", "text/csv"));
  await waitFor(() => expect(received().textContent).toContain("2000,x"));
  expect(within(received()).queryByRole("table")).toBeNull();
});

test("a file whose text cannot be read now offers to read it again, and one without text says so", async () => {
  serve([{ status: 503, text: "" }, { json: { text: "" } }] as never);
  open(document("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"));
  fireEvent.click(await within(received()).findByRole("button", { name: "Retry" }));
  expect(await within(received()).findByText("This file has no readable text.")).toBeTruthy();
  expect(received().textContent).toContain("no pictures, no layout");
});

test.each([
  ["letter.eml", "message/rfc822", "Email"],
  ["novel.epub", "application/epub+zip", "E-book"],
  ["study.ipynb", "application/x-ipynb+json", "Jupyter notebook"],
  ["letter.rtf", "application/rtf", "Document"],
])("%s is shown as its text, with the name of its kind and what is left out", async (name, type, kind) => {
  serve({ json: { text: "Subject: Hello\n\nWords of the file" } });
  open(document(name, type));
  await waitFor(() => expect(received().textContent).toContain("Words of the file"));
  expect(received().textContent).toContain("no pictures, no layout");
  expect(screen.getByRole("dialog").textContent).toContain(`${kind} · 2 kB`);
});

test("a picture says which models receive it", () => {
  fakeApi({ "GET /files/r": { text: "x" } });
  open(document("a.gif", "image/gif", { remark: "animated" }));
  const words = screen.getByRole("dialog").textContent;
  expect(words).toContain("Models that see pictures receive this picture");
  expect(words).toContain("Animated: models see its first picture at most");
});
