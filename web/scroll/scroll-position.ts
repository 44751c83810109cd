/**
 * Where a chat was left, other than at its end: the message at the top of the view, which part of it (-1: all of it), and
 * how far (px) that stands below the top of the view. Ids and numbers, no words; they go with the sign-out.
 */
export type ReadingPlace = readonly [message: string, part: number, top: number];

/** Where the browser keeps those of an account. */
export const placesKey = (account: string) => `places:${account}`;
