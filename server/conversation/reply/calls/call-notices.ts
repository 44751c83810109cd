import { isDeepStrictEqual } from "node:util";
import { type FileReceipt, fileNotices } from "../../parts/file-notices.ts";
import type { Notice } from "../../parts/message-part.ts";
import type { ModelCall, Production } from "./production.ts";

/**
 * Returns the notices of a call that the reply does not have yet: of messages that were left out, of another writer, of
 * files that the model does not receive whole, and of budgets that are nearly spent.
 * @param left number of messages of the branch that the model does not receive
 */
export async function noticesOf(
  { reply, earlier, spending }: Production,
  { model, progress }: ModelCall,
  { left, files }: { left: number; files: FileReceipt },
): Promise<Notice[]> {
  const { writer } = progress;
  const notices: Notice[] = [];
  if (left > 0) notices.push({ code: "cut", params: { messages: left } });
  if (writer !== null && writer !== model.value)
    notices.push({ code: "model", params: { model: model.value, instead: writer } });
  const ofBudgets = (spending?.warnings ?? []).map(
    ({ kind, percent }): Notice => ({ code: "budget-low", params: { budget: kind, percent } }),
  );
  const ofFiles = await fileNotices(files, model, earlier);
  const isGiven = (notice: Notice) => reply.parts.all.some(({ body }) => isDeepStrictEqual(body, notice));
  return [...notices, ...[...ofFiles, ...ofBudgets].filter((notice) => !isGiven(notice))];
}
