import type { NewBranch } from "../../chats/state/chats-state.ts";
import type { SendOutcome } from "../../reply/replies.ts";
import { fileWaits } from "../attachments/file-waits.ts";
import { settleFiles, showFiles, uploadFiles } from "../attachments/sent-files.ts";
import type { ChatSession } from "../chat-session.ts";
import { queueModule } from "../queue/queue-module.ts";

/**
 * Sends the message in the box of `chat`, once its files are uploaded. A refused message stays in the chat; if the
 * module of the queue cannot be loaded, it returns to the box. With `branch`, the message that was refused begins that
 * branch; if it is back in the box, the message there.
 */
export async function sendDraft(session: ChatSession, chat: string | null, branch?: NewBranch): Promise<void> {
  const { drafts } = session;
  if (branch && chat !== null && queueModule.get()?.queueOf(session).sendAsBranch(chat, branch)) return;
  if (drafts.get(chat).files.length > 0) {
    const waits = session.get(fileWaits);
    if (waits.isWaiting(chat) || !(await waits.wait(chat, (signal) => uploadFiles(session, chat, signal)))) return;
    if (await enqueue(session, chat)) return;
  }
  if (!drafts.get(chat).isEmpty) await sendNow(session, chat, branch);
}

/** An answer may have begun in the chat while the message waited for its files. */
async function enqueue(session: ChatSession, chat: string | null): Promise<boolean> {
  const isWriting = chat !== null && session.store.getState().chats.conversations[chat]?.isWriting;
  if (!isWriting) return false;
  const queue = await queueModule.ask();
  return queue?.queueOf(session).enqueue(chat) ?? false;
}

async function sendNow(session: ChatSession, chat: string | null, branch?: NewBranch): Promise<void> {
  const { replies, drafts, branches, modelChoice } = session;
  const ticket = drafts.take(chat, modelChoice.current().value);
  const { text, files } = ticket.draft;
  const { model, key } = ticket;
  showFiles(session, ticket);
  let refusal: SendOutcome | undefined;
  const onRefused = (outcome: SendOutcome) => {
    refusal = outcome;
    queueModule.get()?.queueOf(session).takeRefused(ticket, outcome);
  };
  // The queue takes the question in the task in which it leaves the chat: otherwise it would disappear for a moment.
  const prepareRefused = () => queueModule.load().catch(() => undefined);
  const options = { key, files, onRefused, prepareRefused };
  const outcome = await (branch && branches && chat !== null
    ? branches.replies.sendAsBranch(chat, branch.before, { text, model, ...options })
    : replies.send(chat, text, model, options));
  if (refusal && !queueModule.get()) {
    const module = await queueModule.load().catch(() => undefined);
    module?.queueOf(session).takeRefused(ticket, refusal);
  }
  // Has no effect on a message that the queue has taken.
  drafts.settle(ticket, outcome, outcome.chat);
  settleFiles(session, ticket, outcome);
}
