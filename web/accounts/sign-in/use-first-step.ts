import { useLocation, useNavigate } from "react-router";
import { ApiError } from "../../api/api-error.ts";
import { loadPageTexts } from "../../locales/language.ts";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { secondStep } from "./second-step.ts";

const codeModule = lazyModule(async () => (await import("./second-step-screen.tsx")).default);
const setUpModule = lazyModule(async () => {
  // The set-up and the recovery codes are also in the settings: in other languages their texts are those of signed-in pages.
  const [module] = await Promise.all([import("./set-up-screen.tsx"), loadPageTexts()]);
  return module.default;
});

/**
 * Returns the function that makes the request of a first step. It resolves to null if the account needs a second step or
 * a second factor, which it opens on the sign-in page, and throws all other errors of the request. `state`: history state
 * of that page, with the page to open after the sign-in; by default that of this page.
 */
export function useFirstStep() {
  const navigate = useNavigate();
  const { state: own }: { state: unknown } = useLocation();
  return async <Answer>(request: () => Promise<Answer>, state = own): Promise<Answer | null> => {
    try {
      return await request();
    } catch (error) {
      const ticket = error instanceof ApiError ? error.problem?.ticket : undefined;
      if (!(error instanceof ApiError) || ticket === undefined) throw error;
      const Screen = await (error.code === "second-factor-missing" ? setUpModule : codeModule).ask();
      if (Screen) {
        secondStep.set({ ticket, Screen });
        void navigate("/login", { replace: true, state });
      }
      return null;
    }
  };
}
