import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { writeClipboard } from "../../ui/write-clipboard.ts";
import type { CopiedMessage } from "./copying.ts";

const copyingModule = lazyModule(() => import("./copying.ts"), "after-chat");

/** Copies messages with their format; only their text if that is not possible. @returns whether the clipboard has them */
export async function copyMessages(messages: readonly CopiedMessage[]): Promise<boolean> {
  const copying = await copyingModule.load().catch(() => null);
  if (copying && (await copying.writeMessages(messages))) return true;
  return writeClipboard(messages.map(({ text }) => text).join("\n\n"));
}
