import type { CreatedInvitation } from "#contract/administration/invitations.ts";

/** An invitation with a class code, which no later answer contains. */
export type CreatedClassCode = CreatedInvitation & { code: string };

/** Returns the address of an invitation's link without its key, as people type it to enter a class code. */
export function typedAddressOf({ link }: Pick<CreatedInvitation, "link">): string {
  const { protocol, host, pathname } = new URL(link);
  return protocol === "https:" ? host + pathname : `${protocol}//${host}${pathname}`;
}
