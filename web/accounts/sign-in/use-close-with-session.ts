import { type RefObject, useEffect, useState } from "react";
import { currentSession, subscribeSession } from "../session/session.ts";
import { closeSecondStep } from "./second-step.ts";

/** Closes the step once the session changes, here by its answer, or in another tab, unless `isComplete` is set. */
export function useCloseWithSession(isComplete?: RefObject<boolean>): void {
  const [{ token }] = useState(currentSession);
  useEffect(
    () =>
      subscribeSession(() => {
        if (!isComplete?.current && currentSession().token !== token) closeSecondStep();
      }),
    [isComplete, token],
  );
}
