import { Store } from "../../store/store.ts";

/** Slug of the server with whose explanation the panel of tools opens; null once it is answered or closed. */
export const requestedExplanation = new Store<string | null>(null);
