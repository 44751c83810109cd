/** For longer diagrams (UTF-16 units) the source is shown. */
export const LONGEST_DIAGRAM = 20_000;

/** In local storage: the heights of diagrams that were drawn. A sign-out removes them. */
export const HEIGHTS_KEY = "diagram-heights";
