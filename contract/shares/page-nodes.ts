import { answerElements } from "../text/html/elements.ts";

/** Elements that a page of a link may have; others are shown as their text. Of HTML, beside those of MathML (`MATHS_TAGS`). `input` is a disabled checkbox. Pictures are files. */
export const pageElements: readonly string[] = [...answerElements.filter((name) => name !== "img"), "input"];
