import type { TestApp } from "../app/start-test-app.ts";
import { filedMailsTo } from "./filed-mails.ts";

/** Pages that links in mails open. */
export type LinkedPage =
  | "verify-email"
  | "reset-password"
  | "confirm-email"
  | "undo-email"
  | "lose-factor"
  | "keep-factor";

/** Returns the keys in links to a page that were mailed to an address, oldest first. */
export async function mailedKeysFor(app: TestApp, page: LinkedPage, address: string): Promise<string[]> {
  const start = `${app.context.config.publicUrl}/${page}`;
  const links = (await filedMailsTo(app, address)).flatMap(({ text }) =>
    text.split("\n").filter((line) => line.startsWith(`${start}?`) || line.startsWith(`${start}#`)),
  );
  return links.flatMap((link) => {
    const { hash, searchParams } = new URL(link);
    return new URLSearchParams(hash.slice(1)).get("key") ?? searchParams.get("key") ?? [];
  });
}

/** Returns the newest key of {@link mailedKeysFor}. */
export async function newestKeyFor(app: TestApp, page: LinkedPage, address: string): Promise<string> {
  const key = (await mailedKeysFor(app, page, address)).at(-1);
  if (!key) throw new Error(`No link to ${page} was mailed to ${address}`);
  return key;
}
