import type { Question } from "./question.ts";

/** Record of one request to the provider. Times are of `performance.now()`. */
export type ProviderCall = {
  readonly kind: "chat" | "title";
  readonly question: Question;
  readonly startedAt: number;
  /** Number of rounds of calls in the prompt whose results it has. */
  readonly round: number;
  /** The results of calls of tools in the prompt, in their order. */
  readonly results: readonly string[];
  /** Length of the answer's prefix in the prompt (UTF-16 units); -1 if the prompt has other text. */
  readonly from: number;
  /** Position up to which the answer was sent. */
  saidUpTo: number;
  /** Time at which the answer was complete or the connection closed. */
  closedAt: number | undefined;
  /** Whether the provider has sent the answer completely and without a misdeed. */
  isWhole: boolean;
};
