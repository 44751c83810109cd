/** Decisions of a person on calls of tools. Separate from the parts, because only their screen loads them. */

import * as z from "zod/mini";
import { looseText } from "../text/well-formed.ts";
import { messageStateSchema } from "./conversation.ts";
import { formAnswersSchema } from "./tool-forms.ts";

/** Calls of one answer of a model. */
export const DECISIONS_MAX = 64;

/**
 * - `once`: run this call. `chat`, `always`: also later calls of the tool, as long as its schema is the same, in this chat
 *   or in all.
 * - `no`: do not run it.
 * - `skip`: of a call that may have run: go on without its result.
 * - `submit`: of a call that asks: give it the answers. `no` then refuses to answer, and the tool continues without.
 */
export const decisionAnswers = ["once", "chat", "always", "no", "skip", "submit"] as const;
export type DecisionAnswer = (typeof decisionAnswers)[number];

/**
 * Decides on calls of the reply `reply`. `seq`, `digest`, `attempt`: of their parts. The digest approves the arguments as
 * shown; the answers are those of `submit`; the attempt keeps a decision that arrives late from approving a call again that may have acted since.
 */
export const decisionRequestSchema = z.object({
  reply: looseText(64),
  decisions: z
    .array(
      z.object({
        seq: z.int().check(z.minimum(0)),
        digest: looseText(64),
        attempt: z.optional(z.int().check(z.minimum(1))),
        answer: z.enum(decisionAnswers),
        answers: z.optional(formAnswersSchema),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(DECISIONS_MAX),
      // Of two decisions on one call, one would be an approval that the other refuses.
      z.refine((decisions) => new Set(decisions.map(({ seq }) => seq)).size === decisions.length),
    ),
});
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

/** State of the reply after the decisions: `waiting` for others, or `writing`, so that a client joins its stream. */
export const decisionAnswerSchema = z.object({ state: messageStateSchema });
export type DecisionResult = z.infer<typeof decisionAnswerSchema>;
