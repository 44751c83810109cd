import { isEmptyMessage } from "#contract/conversation/parts.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import type { ExportedChat, ExportedMessage, ExportedPreset } from "#contract/transfer/transfer.ts";
import { type MessageContent, toMessagePart } from "../conversation/parts/message-part.ts";
import type { ChatRow, FolderRow, MessageRow, PresetRow } from "../database/schema.ts";
import { parseToolGroups } from "../presets/tool-groups.ts";
import { parseSeams, visibleSeams } from "../text/seams.ts";
import { originOf } from "./transfer-store.ts";

/** Converts a message with its content so far. A reply that is being written is exported as interrupted. */
export function toExportedMessage(row: MessageRow, { text, parts }: MessageContent): ExportedMessage {
  // An import drops the parts of a reply without text and files, which counts nothing against the quota.
  const hasParts = parts.length > 0 && (row.role === "user" || !isEmptyMessage({ content: text, parts }));
  const seams = visibleSeams(parseSeams(row.seams), text);
  return {
    id: row.id,
    parent: row.parent,
    role: row.role,
    content: text,
    state: isRunning(row.state) ? "interrupted" : row.state,
    model: row.model,
    ...(row.requested_model !== null && { requestedModel: row.requested_model }),
    ...(row.error_code !== null && { code: row.error_code }),
    ...(seams.length > 0 && { seams }),
    ...(hasParts && { parts: parts.map(toMessagePart) }),
    ...(row.truncated === 1 && { isTruncated: true }),
    ...(row.input_tokens !== null && { inputTokens: row.input_tokens }),
    ...(row.output_tokens !== null && { outputTokens: row.output_tokens }),
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

/** Converts a chat. Its folder and preset are `null` if they are not in the given lists. */
export function toExportedChat(
  row: ChatRow,
  { folders, presets }: { folders: readonly FolderRow[]; presets: readonly PresetRow[] },
): Omit<ExportedChat, "messages"> {
  const known = (list: readonly { id: string }[], id: string | null) =>
    id !== null && list.some((one) => one.id === id) ? id : null;
  const origin = originOf(row.imported_from);
  return {
    id: row.id,
    ...(origin && { origin }),
    title: row.title,
    titleOrigin: row.title_origin,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    isPinned: row.pinned === 1,
    isArchived: row.archived === 1,
    folder: known(folders, row.folder_id),
    instructions: row.instructions,
    preset: known(presets, row.preset_id),
    ...(row.effort !== null && { effort: row.effort }),
    ...toTools(row),
    leaf: row.leaf,
  };
}

export function toExportedPreset(row: PresetRow): ExportedPreset {
  const { id, name, instructions, model, temperature, effort } = row;
  return { id, name, instructions, model, temperature, ...(effort !== null && { effort }), ...toTools(row) };
}

function toTools({ tools: stored }: Pick<PresetRow, "tools">): Pick<ExportedPreset, "tools"> {
  const tools = parseToolGroups(stored);
  return tools ? { tools } : {};
}
