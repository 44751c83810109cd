/** Hand-over of ownership: an owner offers it, and the other account accepts it. Times are Unix times in ms. */

import * as z from "zod/mini";
import { DAY } from "../limits.ts";
import { looseText } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

/** Time in which an offer can be accepted. */
export const OWNERSHIP_OFFER_LIFE_MS = 7 * DAY;

/** Key of a link that makes the signed-in account an owner: that of an offer to it, or the one on the server's console. */
export const ownershipSchema = z.object({ key: looseText(64) });

/** `staysOwner`: whether the offering account stays an owner; otherwise it becomes an administrator. */
export const newOwnershipOfferSchema = z.object({ staysOwner: z.boolean() });
export type NewOwnershipOffer = z.infer<typeof newOwnershipOfferSchema>;

/** An open offer to an account. */
export const ownershipOfferSchema = z.object({
  staysOwner: z.boolean(),
  offeredBy: z.object({ id: z.string(), username: z.string() }),
  expiresAt: timeField(),
});
export type OwnershipOffer = z.infer<typeof ownershipOfferSchema>;

/** `link` contains the key, which no later answer contains. */
export const createdOwnershipOfferSchema = z.object({ offer: ownershipOfferSchema, link: z.string() });
export type CreatedOwnershipOffer = z.infer<typeof createdOwnershipOfferSchema>;
