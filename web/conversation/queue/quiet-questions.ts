/**
 * React keys of the questions that the queue has sent by itself. They do not move the view of a reader who is not at the
 * end.
 */
export const quietQuestions = new Set<string>();
