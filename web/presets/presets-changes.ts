const changes = new EventTarget();

/** Notifies listeners that the account's presets or instructions have changed, here or elsewhere. */
export function notifyPresetsChanged(): void {
  changes.dispatchEvent(new Event("change"));
}

/** Calls `listener` at each such change. Returns the function that unsubscribes it. */
export function onPresetsChanged(listener: () => void): () => void {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}
