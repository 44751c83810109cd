/**
 * Replaces the package tailwind-merge (an alias in vite.config.ts), by which Streamdown lets the class of an element
 * win over a conflicting default of its own. The elements of replies have no utility classes that could conflict.
 */
export const twMerge = (...classes: string[]): string => classes.join(" ");
