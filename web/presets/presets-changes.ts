const told = new EventTarget();

/** Notifies listeners that the account's presets or instructions have changed, here or elsewhere. */
export function notifyPresetsChanged(): void {
  told.dispatchEvent(new Event("change"));
}

/** Calls `listener` at each such change. Returns the function that unsubscribes it. */
export function onPresetsChanged(listener: () => void): () => void {
  told.addEventListener("change", listener);
  return () => told.removeEventListener("change", listener);
}
