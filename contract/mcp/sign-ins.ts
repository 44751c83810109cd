/** Sign-ins of people to tool servers, by OAuth. */

import * as z from "zod/mini";

const CODE_MAX = 8192;
const STATE_MAX = 128;
const ISSUER_MAX = 1024;
const ERROR_MAX = 100;

export const toolSignInPaths = {
  /** Metadata of this installation as a client, which authorisation servers read. */
  client: "/mcp/client",
  attempt: (id: string) => `/mcp/servers/${id}/sign-in`,
  completion: "/mcp/sign-in",
} as const;

/** `id`: as of `ToolServer`; any other is answered with "not found". */
export const toolServerParamsSchema = z.object({ id: z.string() });

/** `address`: of the authorisation server, where the browser goes next. */
export const toolSignInAttemptSchema = z.object({ address: z.string() });

/**
 * Parameters with which an authorisation server sends the browser back (RFC 6749 and 9207). The state is valid once, in
 * the session that began the attempt, for ten minutes.
 */
export const toolSignInAnswerSchema = z.object({
  state: z.string().check(z.minLength(1), z.maxLength(STATE_MAX)),
  code: z.optional(z.string().check(z.minLength(1), z.maxLength(CODE_MAX))),
  iss: z.optional(z.string().check(z.maxLength(ISSUER_MAX))),
  error: z.optional(z.string().check(z.maxLength(ERROR_MAX))),
});
export type ToolSignInAnswer = z.infer<typeof toolSignInAnswerSchema>;

/** `tools`: number of tools that the server lists now; null: it did not list any, because it failed. */
export const connectedToolServerSchema = z.object({
  server: z.object({ id: z.string(), name: z.string() }),
  tools: z.nullable(z.int()),
});
export type ConnectedToolServer = z.infer<typeof connectedToolServerSchema>;

/** Metadata of this installation as a client (RFC 7591), at the address that is its id. */
export const oauthClientSchema = z.object({
  client_id: z.string(),
  client_name: z.string(),
  client_uri: z.string(),
  redirect_uris: z.array(z.string()).check(z.maxLength(1)),
  grant_types: z.array(z.string()).check(z.maxLength(2)),
  response_types: z.array(z.string()).check(z.maxLength(1)),
  token_endpoint_auth_method: z.string(),
  application_type: z.string(),
});
export type OauthClientDocument = z.infer<typeof oauthClientSchema>;
