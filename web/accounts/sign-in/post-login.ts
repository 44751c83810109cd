import { type LoginRequest, type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { ApiError } from "../../api/api-error.ts";
import { api } from "../../api/client.ts";

/** The work grows while others fail to sign in, so that a solution may come too late. */
const TRIES = 3;

/**
 * Signs in by password. In a network with many wrong passwords it does the proof of work that the server asks for, which
 * takes seconds.
 * @throws ApiError
 */
export async function postLogin(request: LoginRequest): Promise<SignedIn> {
  let work: string | undefined;
  for (let tries = 1; ; tries++) {
    try {
      return await api.post(accountPaths.login, { ...request, work }, signedInSchema);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "work-needed" || tries === TRIES) throw error;
      const { solveWork } = await import("./solve-work.ts");
      const solution = await solveWork(error.body ?? "");
      if (solution === null) throw error;
      work = solution;
    }
  }
}
