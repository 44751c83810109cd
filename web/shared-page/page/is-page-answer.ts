import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";

/** Checks the frame of a page only: its nodes are checked where they become elements. */
export function isPageAnswer(answer: unknown): answer is SharedPageAnswer {
  if (typeof answer !== "object" || answer === null || !("product" in answer) || !("page" in answer)) return false;
  const { page } = answer;
  return typeof page === "object" && page !== null && "messages" in page && Array.isArray(page.messages);
}
