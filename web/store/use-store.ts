import { useSyncExternalStore } from "react";
import type { ReadableStore } from "./store.ts";

/**
 * Returns the value of a store; the component is rendered again when it changes.
 * @param store a `Store`, or an emitter's `subscribe` with a `get` that returns the same value until it notifies.
 */
export const useStore = <T>(store: ReadableStore<T>): T => useSyncExternalStore(store.subscribe, store.get, store.get);
