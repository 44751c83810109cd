import type { TestApp } from "../app/start-test-app.ts";
import { filedMailsTo } from "./filed-mails.ts";

/** Pages that mailed links lead to. */
export type LinkedPage = "verify-email" | "reset-password" | "confirm-email" | "undo-email";

/** Keys that an address was mailed in links to a page, oldest first. */
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

/** The newest of them. */
export async function newestKeyFor(app: TestApp, page: LinkedPage, address: string): Promise<string> {
  const key = (await mailedKeysFor(app, page, address)).at(-1);
  if (!key) throw new Error(`No link to ${page} was mailed to ${address}`);
  return key;
}
