import type { Config } from "../config/config.ts";

/** Returns the sender of mails, with the product's name unless one is configured. */
export function senderOf(
  { mailFrom, publicUrl }: Pick<Config, "mailFrom" | "publicUrl">,
  { productName }: { productName: string },
): string {
  return mailFrom ?? `"${productName.replaceAll(/["\\]/g, "")}" <no-reply@${new URL(publicUrl).hostname}>`;
}
