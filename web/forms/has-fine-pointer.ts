/** Whether a form may take the focus by itself: on a phone the keyboard would cover the page before it was seen. */
export const hasFinePointer = (): boolean => window.matchMedia("(pointer: fine)").matches;
