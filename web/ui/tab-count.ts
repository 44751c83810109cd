import { Store } from "../store/store.ts";

/** Number of unseen changes, shown in the title of the browser tab; 0 shows nothing. */
export const tabCount = new Store(0);
