import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { writeClipboard } from "../../ui/use-copy.ts";
import type { CopiedMessage } from "./copying.ts";

const copyingModule = lazyModule(() => import("./copying.ts"), "behind-chat");

/** Copies messages with their format; only their text if the module is missing. @returns whether the clipboard has them */
export async function copyMessages(messages: readonly CopiedMessage[]): Promise<boolean> {
  const copying = await copyingModule.load().catch(() => null);
  return copying ? copying.writeMessages(messages) : writeClipboard(messages.map(({ text }) => text).join("\n\n"));
}
