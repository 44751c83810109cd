import { StoredText } from "../../storage/stored-text.ts";
import { useStore } from "../../store/use-store.ts";

/** Single-character shortcuts may be triggered by accident or by voice input: each browser can switch them off. */
const stored = new StoredText("parley.sign-keys", "The choice of keys");
const OFF = "off";

export const areSignsOn = (): boolean => stored.get() !== OFF;

export const switchSigns = (isOn: boolean): void => stored.set(isOn ? null : OFF);

export const useAreSignsOn = (): boolean => useStore(stored) !== OFF;
