/** Classes of a link, or of a button that reads as one, inside a sentence. */
export const textLink =
  "rounded-small font-medium text-accent underline decoration-accent/40 underline-offset-[3px] transition-colors " +
  "hover:decoration-accent disabled:no-underline disabled:opacity-60";
