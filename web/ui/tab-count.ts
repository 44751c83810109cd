import { Store } from "../store/store.ts";

/** Number of unseen changes that the browser tab's title shows; 0 shows nothing. */
export const tabCount = new Store(0);
