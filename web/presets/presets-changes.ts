import { Emitter } from "../store/emitter.ts";

const changes = new Emitter();

/** Notifies listeners that the account's presets or instructions have changed, here or elsewhere. */
export const notifyPresetsChanged = changes.notify;

/** Calls `listener` at each such change. Returns the function that unsubscribes it. */
export const onPresetsChanged = changes.subscribe;
