/** Whether a form may focus a field on its own: on a phone the keyboard would cover the page before it is seen. */
export const hasFinePointer = (): boolean => window.matchMedia("(pointer: fine)").matches;
