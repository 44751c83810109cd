/** Set-up file of web tests: adds to happy-dom what browsers do and the tests rely on. */

type Interceptor = { beforeAsyncRequest: (sent: { request: { url: string } }) => Promise<undefined> };
type HappyDom = { settings: { enableIframePageLoading: boolean; fetch: { interceptor: Interceptor | null } } };

declare global {
  interface Window {
    /** Undefined in a test whose file selects another environment. */
    happyDOM?: HappyDom;
  }
}

loadNoFrames();
nameSearchElements();
// KaTeX refuses to render in quirks mode, and imports of a test are evaluated after this file.
Object.defineProperty(document, "compatMode", { value: "CSS1Compat" });

/**
 * Frames stay empty, like those of a server that does not answer. happy-dom prints an error for each frame if its
 * setting forbids frames.
 */
function loadNoFrames(): void {
  if (!window.happyDOM) return;
  const { settings } = window.happyDOM;
  settings.enableIframePageLoading = true;
  settings.fetch.interceptor = {
    beforeAsyncRequest: ({ request }) =>
      request.url.endsWith(".html") ? new Promise<undefined>(() => {}) : Promise.resolve(undefined),
  };
}

/** React warns about elements that the browser does not define. happy-dom does not define `search`. */
function nameSearchElements(): void {
  Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
    // Files that share a process share the classes of happy-dom.
    configurable: true,
    get(this: Element) {
      return this.localName === "search" ? "HTMLElement" : "HTMLUnknownElement";
    },
  });
}
