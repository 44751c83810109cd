import type { PageFile } from "#contract/shares/shared-page.ts";
import { sizeText } from "../../locales/size-text.ts";
import { saveFile } from "../../ui/save-file.ts";
import type { Words } from "./build-nodes.ts";
import { element, icon } from "./element.ts";

/** `readFile` reads a file by its position. `signal` ends with the page. */
export type FileSource = Words & { readFile: (position: number) => Promise<Blob>; signal?: AbortSignal };

/** Distance from the window at which pictures are loaded. */
const NEAR = "600px";

/** Returns the list of the files of a message: pictures are shown, and each file can be saved. */
export function fileList(files: readonly PageFile[], source: FileSource): HTMLElement {
  const items = files.map((file) =>
    element("li", {}, file.kind === "picture" ? picture(file, source) : saveButton(file, source)),
  );
  return element("ul", { class: "files", "aria-label": source.texts.page.files }, ...items);
}

/** Shows a picture once it is near the window. */
function picture(file: PageFile, source: FileSource): HTMLElement {
  const frame = element("div", { class: "picture" });
  const { width, height } = file;
  if (width !== undefined && height !== undefined) {
    // The policy allows no attribute `style`, but changes by scripts.
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.style.width = `${width}px`;
  }
  whenNear(frame, source.signal, async () => {
    try {
      const url = URL.createObjectURL(await source.readFile(file.position));
      source.signal?.addEventListener("abort", () => URL.revokeObjectURL(url), { once: true });
      const image = element("img", { src: url, alt: file.name, decoding: "async" });
      frame.replaceChildren(image);
      frame.style.width = "";
      frame.style.aspectRatio = "";
    } catch {
      if (!source.signal?.aborted) frame.replaceChildren(element("p", { role: "status" }, source.texts.page.notLoaded));
    }
  });
  return element("figure", {}, frame, element("figcaption", {}, saveButton(file, source)));
}

/** Calls `act` once, when an element is near the window or before the page is printed. */
function whenNear(target: Element, signal: AbortSignal | undefined, act: () => Promise<void>): void {
  const waiting = new AbortController();
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) begin();
    },
    { rootMargin: NEAR },
  );
  const end = () => {
    waiting.abort();
    observer.disconnect();
  };
  const begin = () => {
    end();
    void act();
  };
  observer.observe(target);
  addEventListener("beforeprint", begin, { signal: waiting.signal });
  signal?.addEventListener("abort", end, { signal: waiting.signal });
}

function saveButton({ name, size, position }: PageFile, { texts, language, readFile }: FileSource): HTMLElement {
  const facts = element("span", { class: "facts" }, sizeText(size, language));
  const status = element("span", { class: "facts", role: "status" });
  // Spaces between words, for screen readers.
  const content = [icon("file"), element("bdi", {}, name), " ", facts, " ", icon("download", texts.page.download)];
  const button = element("button", { type: "button", class: "file" }, ...content);
  button.addEventListener("click", async () => {
    status.textContent = "";
    button.setAttribute("aria-busy", "true");
    try {
      saveFile(await readFile(position), name);
    } catch {
      status.textContent = texts.page.notLoaded;
    }
    button.removeAttribute("aria-busy");
  });
  return element("div", { class: "file-row" }, button, status);
}
