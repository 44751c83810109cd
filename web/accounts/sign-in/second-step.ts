/** Second step of a sign-in, also the set-up of a second factor. Its ticket is in memory only: never in storage or in an address. */

import type { ComponentType } from "react";
import type { Failure } from "../../forms/use-sending.ts";
import { Store } from "../../store/store.ts";

export type SecondStepProps = {
  ticket: string;
  /** Receives the reason why the sign-in must begin again. */
  onExpired: (failure: Failure) => void;
};

/** The step that the sign-in page shows, with its loaded screen; null if there is none. */
export const secondStep = new Store<{ ticket: string; Screen: ComponentType<SecondStepProps> } | null>(null);

export const closeSecondStep = () => secondStep.set(null);
