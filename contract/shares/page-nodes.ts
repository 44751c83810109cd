import { answerElements } from "../text/html/elements.ts";

/**
 * Elements of HTML that a page of a link may have, beside the elements of MathML (`MATHS_TAGS`); others are shown as their
 * text. `input` is a disabled checkbox. Pictures are files.
 */
export const pageElements: readonly string[] = [...answerElements.filter((name) => name !== "img"), "input"];
