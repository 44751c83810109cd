import type { ErrorCode } from "#contract/errors.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import { TEMPORARY_FILES_MAX, TEMPORARY_FILES_MAX_BYTES } from "#contract/limits.ts";
import { currentAuthConfig } from "../../accounts/auth-config.ts";
import { selectCurrent } from "../../chats/state/chats-selectors.ts";
import type { ChatsStore } from "../../chats/state/chats-store.ts";
import { messagesToSend } from "./messages-to-send.ts";

/**
 * Returns why a further question of the temporary chat cannot be sent with these files beside those of the earlier
 * questions, which are sent again; null if it can.
 */
export function refusalOf(store: ChatsStore, files: readonly AttachedFile[]): ErrorCode | null {
  if (files.length === 0) return null;
  const earlier = selectCurrent(store.getState())?.messages ?? [];
  const messages = messagesToSend([...earlier, { role: "user", content: "", files }]);
  const all = messages.flatMap((message) => message.files ?? []);
  const most = currentAuthConfig().files?.maxPerMessage ?? 0;
  const isOverLimit = messages.some((message) => (message.files ?? []).length > most);
  if (isOverLimit || all.length > TEMPORARY_FILES_MAX) return "too-many-files";
  return all.reduce((sum, { size }) => sum + size, 0) > TEMPORARY_FILES_MAX_BYTES ? "files-too-large" : null;
}
