/** Width and state of the sidebar in this browser, for all accounts. Read while rendering, so nothing shifts later. */

import { StoredText } from "../../storage/stored-text.ts";
import type { ReadableStore } from "../../store/store.ts";

export const MIN_WIDTH_PX = 240;

const width = new StoredText("parley.sidebar-width", "The width of the sidebar");
const rail = new StoredText("parley.sidebar", "The state of the sidebar");
const COLLAPSED = "collapsed";

/** The chosen width in px; null is the default, 30 % of the window. The stored text is untrusted. */
export const sidebarWidth: ReadableStore<number | null> = {
  subscribe: width.subscribe,
  get: () => {
    const px = Number(width.get());
    return Number.isInteger(px) && px >= MIN_WIDTH_PX ? px : null;
  },
};

export const setSidebarWidth = (px: number | null): void => width.set(px === null ? null : String(Math.round(px)));

/** Whether the sidebar is a rail of icons. */
export const isSidebarCollapsed: ReadableStore<boolean> = {
  subscribe: rail.subscribe,
  get: () => rail.get() === COLLAPSED,
};

export const toggleSidebar = (): void => rail.set(isSidebarCollapsed.get() ? null : COLLAPSED);
