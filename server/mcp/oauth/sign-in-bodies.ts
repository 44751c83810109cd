import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client";
import * as z from "zod/mini";
import { isRecord } from "../../text/wire-json.ts";

/** This installation as a client of an authorisation server: registered there, or by its metadata document. */
export const oauthClientBodySchema = z.object({
  client_id: z.string(),
  client_secret: z.optional(z.string()),
  /** Unix time in s; 0: never. */
  client_secret_expires_at: z.optional(z.number()),
  token_endpoint_auth_method: z.optional(z.string()),
  redirect_uris: z.optional(z.array(z.string())),
});
export type OauthClientBody = z.infer<typeof oauthClientBodySchema>;

/** Bounds of tokens: they are sent to this address of the server and to its authorisation server, `issuer`, only. */
const boundFields = {
  serverUrl: z.string(),
  issuer: z.string(),
  /** As the metadata of the server names it; usually the issuer. */
  authorisationServer: z.string(),
  resource: z.optional(z.string()),
  client: oauthClientBodySchema,
};

/** What an attempt stores, encrypted, until the browser returns. */
export const attemptBodySchema = z.object({
  ...boundFields,
  verifier: z.string(),
  redirectUrl: z.string(),
  metadata: z.custom<AuthorizationServerMetadata>(isRecord),
  scope: z.optional(z.string()),
});
export type AttemptBody = z.infer<typeof attemptBodySchema>;

/** Tokens of a person at a server, as they are stored, encrypted. */
export const tokensBodySchema = z.object({
  ...boundFields,
  access: z.string(),
  refresh: z.optional(z.string()),
  scope: z.optional(z.string()),
  /** Scope that a call lacked, which the next sign-in asks for. */
  wantedScope: z.optional(z.string()),
});
export type TokensBody = z.infer<typeof tokensBodySchema>;
