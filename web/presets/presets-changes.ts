const told = new EventTarget();

/** Says that the account's presets or instructions have changed, here or elsewhere. */
export function notifyPresetsChanged(): void {
  told.dispatchEvent(new Event("change"));
}

/** Calls `listener` at each such change. Gives the way to end that. */
export function onPresetsChanged(listener: () => void): () => void {
  told.addEventListener("change", listener);
  return () => told.removeEventListener("change", listener);
}
