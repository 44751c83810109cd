import type { Question } from "./question.ts";

/** One request that the provider got, as it went. Times are of `performance.now()`. */
export type ProviderCall = {
  readonly kind: "chat" | "title";
  readonly question: Question;
  readonly startedAt: number;
  /** How much of the answer the prompt held already (UTF-16 units); -1: words that were never said. */
  readonly from: number;
  /** Up to where it has said the answer. */
  saidUpTo: number;
  /** When the answer was whole, or the connection gone. */
  closedAt: number | undefined;
  /** Whether the provider did as it should, to the end. */
  isWhole: boolean;
};
