/** Classes of a link inside a sentence, or of a button that is styled as one. */
export const textLink =
  "rounded-small font-medium text-accent underline decoration-accent/40 underline-offset-[3px] transition-colors " +
  "hover:decoration-accent disabled:no-underline disabled:opacity-60";
