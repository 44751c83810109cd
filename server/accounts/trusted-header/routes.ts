import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { headerSignInSchema } from "#contract/accounts/single-sign-on.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { answerSignIn } from "../second-factor/answer-sign-in.ts";
import { signInByHeader } from "./sign-in-by-header.ts";

/** Sign-in by a header that a trusted proxy sets. */
export function headerRoute(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.ssoHeader,
    {
      config: { role: "open" },
      schema: {
        summary: "Sign in by the header of a trusted proxy",
        tags: ["accounts"],
        body: headerSignInSchema,
        response: { 200: signedInSchema },
      },
    },
    async (request, reply) => {
      const client = reply.rememberDevice();
      const { invitation } = request.body;
      const finished = await signInByHeader(accounts, { request: request.raw, client, invitation });
      return answerSignIn(accounts, finished, request, reply);
    },
  );
}
