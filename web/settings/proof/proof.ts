/** The one place that asks for a proof of being the account's owner: a store outside React, shown by ProofDialog. */

import { ApiError } from "../../api/api-error.ts";

/** The person did not want to prove anything, so what needed it was not done. Nothing is to be told. */
export class ProofDeclined extends Error {
  override readonly name = "ProofDeclined";
}

let asked: PromiseWithResolvers<boolean> | null = null;
/** Counts the pages that were left: what one of them began asks for nothing on the next. */
let pagesLeft = 0;
const subscribers = new Set<() => void>();

function change(next: PromiseWithResolvers<boolean> | null): void {
  asked = next;
  for (const notify of [...subscribers]) notify();
}

/**
 * Makes a request; where the server wants a proof first, asks the person for one and makes the request once more.
 * Throws {@link ProofDeclined} where the person declines or has left the page meanwhile, else whatever the request throws.
 */
export async function withProof<T>(ask: () => Promise<T>): Promise<T> {
  const page = pagesLeft;
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "proof-needed")) throw error;
    if (page !== pagesLeft || !(await askForProof())) throw new ProofDeclined("No proof was given", { cause: error });
    return ask();
  }
}

/** One question for all who ask at the same time. */
function askForProof(): Promise<boolean> {
  if (asked === null) change(Promise.withResolvers<boolean>());
  return asked?.promise ?? Promise.resolve(false);
}

/** Ends the question; nothing happens where there is none. */
export function answerProof(isProved: boolean): void {
  const question = asked;
  if (question === null) return;
  change(null);
  question.resolve(isProved);
}

/** Ends the question with its page, and lets none come of what that page has begun. */
export function leaveProof(): void {
  pagesLeft += 1;
  answerProof(false);
}

export function subscribeProof(listener: () => void): () => void {
  subscribers.add(listener);
  return () => subscribers.delete(listener);
}

export const isProofAsked = (): boolean => asked !== null;
