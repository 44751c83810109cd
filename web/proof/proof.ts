/** Asks for a proof of being the account's owner: a store outside React, shown by ProofDialog or inside a dialog. */

import { ApiError } from "../api/api-error.ts";
import { Declined } from "../forms/failure-text.ts";
import { Store } from "../store/store.ts";

/** `isInDialog`: the dialog that asks shows the question itself, as no dialog opens over another. */
type ProofQuestion = PromiseWithResolvers<boolean> & { isInDialog: boolean };

/** Pending question; null if there is none. */
export const proofQuestion = new Store<ProofQuestion | null>(null);
/** Number of pages that were left: a request of an earlier page must not ask on a later one. */
let pagesLeft = 0;

/**
 * Makes a request; if the server requires a proof, asks the person for one and retries the request once.
 * Throws {@link Declined} if the person declines or has left the page meanwhile, and any error of the request.
 */
export async function withProof<T>(ask: () => Promise<T>, isInDialog = false): Promise<T> {
  const page = pagesLeft;
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "proof-needed")) throw error;
    if (page !== pagesLeft || !(await askForProof(isInDialog)))
      throw new Declined("No proof was given", { cause: error });
    return ask();
  }
}

/** Returns one shared question for concurrent requests. */
function askForProof(isInDialog: boolean): Promise<boolean> {
  const question = proofQuestion.get() ?? { ...Promise.withResolvers<boolean>(), isInDialog };
  proofQuestion.set(question);
  return question.promise;
}

/** Answers the pending question, if any. */
export function answerProof(isProved: boolean): void {
  const question = proofQuestion.get();
  if (question === null) return;
  proofQuestion.set(null);
  question.resolve(isProved);
}

/** Declines the pending question when its page is left, and all later ones from requests of that page. */
export function leaveProof(): void {
  pagesLeft += 1;
  answerProof(false);
}

export const isProofAsked = (): boolean => proofQuestion.get() !== null;
