import { useNavigate } from "react-router";
import { type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { api } from "../../api/client.ts";
import { isEmailUnverified } from "../../api/problem-text.ts";

/** The function of `useFirstStep`: passed on, because the folder of the sign-in page imports this one. */
export type TakeFirstStep = <Answer>(request: () => Promise<Answer>, state?: unknown) => Promise<Answer | null>;

/**
 * Returns the function that sends a sign-in by an identity provider. It resolves to null if another page continues: the
 * second step, or the verification of the address. `state`: history state of the sign-in page, by default that of this
 * one. It throws ApiError.
 */
export function useIdentitySignIn(takeFirstStep: TakeFirstStep) {
  const navigate = useNavigate();
  return async (path: string, body: object, state?: unknown): Promise<SignedIn | null> => {
    try {
      return await takeFirstStep(() => api.post(path, body, signedInSchema, { quiet401: true }), state);
    } catch (error) {
      if (!isEmailUnverified(error)) throw error;
      void navigate("/verify-email", { replace: true });
      return null;
    }
  };
}
