/** For longer diagrams (UTF-16 units) the source is shown. */
export const LONGEST_DIAGRAM = 20_000;
