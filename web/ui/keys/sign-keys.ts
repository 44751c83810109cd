import { KeptText, useKeptText } from "../stored-text.ts";

/** Keys of one sign may be pressed by accident or by voice: whoever wants none switches them off, in this browser. */
const kept = new KeptText("parley.sign-keys", "The choice of keys");
const OFF = "off";

export const areSignsOn = (): boolean => kept.current() !== OFF;

export const switchSigns = (isOn: boolean): void => kept.keep(isOn ? null : OFF);

export const useAreSignsOn = (): boolean => useKeptText(kept) !== OFF;
