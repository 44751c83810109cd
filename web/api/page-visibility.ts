/** Visibility of this page; replaced in tests. */
export type PageVisibility = {
  isVisible: () => boolean;
  /** Calls `listener` when the page is shown, hidden, focused, or restored from the back/forward cache. */
  subscribe: (listener: () => void) => () => void;
};

export const pageVisibility: PageVisibility = {
  isVisible: () => document.visibilityState === "visible",
  subscribe(listener) {
    document.addEventListener("visibilitychange", listener);
    window.addEventListener("pageshow", listener);
    window.addEventListener("focus", listener);
    return () => {
      document.removeEventListener("visibilitychange", listener);
      window.removeEventListener("pageshow", listener);
      window.removeEventListener("focus", listener);
    };
  },
};
