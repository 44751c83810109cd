/** The one place that asks for a proof of being the account's owner: a store outside React, shown by ProofDialog. */

import { ApiError } from "../../api/api-error.ts";
import { Store } from "../../store/store.ts";
import { Declined } from "../form/failure-text.ts";

/** Null while nobody is asked. */
export const proofQuestion = new Store<PromiseWithResolvers<boolean> | null>(null);
/** Counts the pages that were left: what one of them began asks for nothing on the next. */
let pagesLeft = 0;

/**
 * Makes a request; where the server wants a proof first, asks the person for one and makes the request once more.
 * Throws {@link Declined} where the person declines or has left the page meanwhile, else whatever the request throws.
 */
export async function withProof<T>(ask: () => Promise<T>): Promise<T> {
  const page = pagesLeft;
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "proof-needed")) throw error;
    if (page !== pagesLeft || !(await askForProof())) throw new Declined("No proof was given", { cause: error });
    return ask();
  }
}

/** One question for all who ask at the same time. */
function askForProof(): Promise<boolean> {
  const question = proofQuestion.get() ?? Promise.withResolvers<boolean>();
  proofQuestion.set(question);
  return question.promise;
}

/** Ends the question; nothing happens where there is none. */
export function answerProof(isProved: boolean): void {
  const question = proofQuestion.get();
  if (question === null) return;
  proofQuestion.set(null);
  question.resolve(isProved);
}

/** Ends the question with its page, and lets none come of what that page has begun. */
export function leaveProof(): void {
  pagesLeft += 1;
  answerProof(false);
}

export const isProofAsked = (): boolean => proofQuestion.get() !== null;
