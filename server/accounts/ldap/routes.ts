import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { directorySignInSchema } from "#contract/accounts/single-sign-on.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { answerSignIn } from "../second-factor/answer-sign-in.ts";
import { signInByDirectory } from "./sign-in-by-directory.ts";

/** Sign-in by a directory (LDAP). */
export function directoryRoute(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.ssoDirectory,
    {
      config: { role: "open" },
      schema: {
        summary: "Sign in with the name and password of a directory (LDAP)",
        tags: ["accounts"],
        body: directorySignInSchema,
        response: { 200: signedInSchema },
      },
    },
    async (request, reply) => {
      const finished = await signInByDirectory(accounts, request.body, reply.rememberDevice());
      return answerSignIn(accounts, finished, request, reply);
    },
  );
}
