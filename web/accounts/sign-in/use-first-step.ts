import { useLocation, useNavigate } from "react-router";
import { ApiError } from "../../api/api-error.ts";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { secondStep } from "./second-step.ts";

const screenModule = lazyModule(() => import("./second-step-screen.tsx"));

/**
 * Returns the function that makes the request of a first step. It resolves to null if the account needs a second step,
 * which it opens on the sign-in page, and throws all other errors of the request.
 */
export function useFirstStep() {
  const navigate = useNavigate();
  const { state }: { state: unknown } = useLocation();
  return async <Answer>(request: () => Promise<Answer>): Promise<Answer | null> => {
    try {
      return await request();
    } catch (error) {
      const ticket = error instanceof ApiError ? error.problem?.ticket : undefined;
      if (ticket === undefined) throw error;
      const module = await screenModule.ask();
      if (module) {
        secondStep.set({ ticket, Screen: module.default });
        // The state has the page to open after the sign-in.
        void navigate("/login", { replace: true, state });
      }
      return null;
    }
  };
}
