import type { Share, ShareList } from "#contract/shares/shares.ts";
import { ApiError } from "../api/client.ts";
import { accountQuery } from "../queries/query.ts";
import { sharesApi } from "./shares-api.ts";

/** Links of the account, and the links that it may make. */
export const sharesQuery = accountQuery((signal) => sharesApi.list(signal));

function changeShares(change: (shares: readonly Share[]) => Share[]): void {
  const { value } = sharesQuery.state.get();
  if (value) sharesQuery.change({ ...value, shares: change(value.shares) } satisfies ShareList);
}

/** Adds a new link to the cached list, or replaces the one with its id or that it `replaces`. */
export const cacheShare = (share: Share, replaces = share.id): void =>
  changeShares((shares) => [share, ...shares.filter(({ id }) => id !== share.id && id !== replaces)]);

/** Revokes a link and removes it from the cached list. A link that is gone already counts as revoked. */
export async function revokeShare(id: string): Promise<void> {
  try {
    await sharesApi.revoke(id);
  } catch (cause) {
    if (!(cause instanceof ApiError && cause.status === 404)) throw cause;
  }
  changeShares((shares) => shares.filter((share) => share.id !== id));
}

/** Revokes all links of the account. @returns how many there were */
export async function revokeAllShares(): Promise<number> {
  const revoked = await sharesApi.revokeAll();
  changeShares(() => []);
  return revoked;
}
