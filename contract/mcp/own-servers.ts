/** Tool servers that people add for themselves, and their sign-ins to servers. */

import * as z from "zod/mini";
import { toolServerSchema } from "../conversation/tools.ts";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

/** Servers of one person. */
export const OWN_SERVERS_MAX = 20;
/** In code points. */
export const SERVER_NAME_MAX = 60;
/** In UTF-16 units. */
export const SERVER_URL_MAX = 2048;

export const ownServerPaths = {
  servers: "/mcp/servers",
  server: (id: string) => `/mcp/servers/${id}`,
  refresh: (id: string) => `/mcp/servers/${id}/tools`,
} as const;

const invalid = { error: rule("invalid") };

const fields = {
  name: nameText(SERVER_NAME_MAX),
  url: z
    .string(invalid)
    .check(z.trim(), z.minLength(1, { error: rule("required") }), z.maxLength(SERVER_URL_MAX, invalid)),
};

export const newOwnServerSchema = z.object(fields);
export type NewOwnServer = z.infer<typeof newOwnServerSchema>;

/** Another address ends the sign-in, and its tools are listed anew. */
export const ownServerChangeSchema = z.partial(z.object(fields));
export type OwnServerChange = z.infer<typeof ownServerChangeSchema>;

/** `id`: of any form; a malformed one is answered with "not found", like an unknown one. */
export const ownServerParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

/**
 * A server that the person has added, or to which the person signs in. `isOn`: false for an own one while the installation
 * allows none. `url`: of an own one. `failure`: code of the last failure, see `state` `away`. `signedInAt`: since when the
 * person is signed in; `issuer`: host of the service that has confirmed it.
 */
export const personalServerSchema = z.extend(toolServerSchema, {
  isOn: z.boolean(),
  url: z.optional(z.string()),
  failure: z.optional(z.string()),
  /** Why it is unreachable, in the answer to a request that has just asked it. */
  reason: z.optional(z.string()),
  listedAt: z.optional(timeField()),
  signedInAt: z.optional(timeField()),
  issuer: z.optional(z.string()),
});
export type PersonalServer = z.infer<typeof personalServerSchema>;

/** Servers that one answer lists: the own ones first. */
const SERVERS_LISTED_MAX = 200;

/** `canAdd`: whether the installation lets people add servers. */
export const personalServersSchema = z.object({
  canAdd: z.boolean(),
  servers: z.array(personalServerSchema).check(z.maxLength(SERVERS_LISTED_MAX)),
});
export type PersonalServers = z.infer<typeof personalServersSchema>;
