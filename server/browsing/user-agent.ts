/** Names the reader of pages, in the form that sites and bot filters expect of browsers. */
export const USER_AGENT = "Mozilla/5.0 (compatible; Parley)";
