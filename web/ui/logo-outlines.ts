/** Outlines of the logo's leaves in a box of 24 × 24: a question and its answer. */
export const QUESTION_LEAF = "M6.6 2h4.8a4.6 4.6 0 0 1 0 9.2H2V6.6A4.6 4.6 0 0 1 6.6 2Z";
export const ANSWER_LEAF = "M12.6 12.8h4.8A4.6 4.6 0 0 1 22 17.4V22h-9.4a4.6 4.6 0 0 1 0-9.2Z";
