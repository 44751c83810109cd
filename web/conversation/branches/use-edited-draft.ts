import { useEffect, useMemo, useState } from "react";
import { filesOf } from "../../chats/state/file-parts.ts";
import type { DraftFiles } from "../../files/draft-files.ts";
import { usePreloadedModule } from "../../ui/lazy/lazy-module.ts";
import { filesModule } from "../attachments/files-module.ts";
import { useChatSession } from "../chat-session.ts";
import { useDraft } from "../composer/use-draft.ts";
import { Draft } from "../draft.ts";
import { editOf } from "../stored-drafts.ts";

type EditedFiles = Pick<DraftFiles, "files" | "remove" | "undoRemove" | "retry">;

/**
 * The draft of an edited question, which begins with its text and files; `files`: undefined until their module is
 * loaded, and for a question without files.
 */
export type EditedDraft = { draft: Draft; write: (text: string) => void; files: EditedFiles | undefined };

/** Returns the draft of an edited question. */
export function useEditedDraft(chat: string, message: string, content: string): EditedDraft {
  const session = useChatSession();
  const { drafts, store, branches } = session;
  const draftKey = editOf(chat, message);
  const [original] = useState(() => {
    const question = store.getState().chats.conversations[chat]?.messages.find(({ id }) => id === message);
    return new Draft(content, filesOf(question ?? {}));
  });
  const stored = useDraft(drafts, draftKey);
  const [text, setText] = useState(stored.isUntouched ? content : stored.text);
  const hasFiles = original.files.length > 0;
  const module = usePreloadedModule(filesModule, hasFiles);
  const [files, setFiles] = useState<DraftFiles>();
  useEffect(() => {
    if (!module || !hasFiles) return;
    const all = module.filesOfSession(session);
    all.know(original.files);
    // An untouched draft is that of a question whose files were removed.
    if (drafts.get(draftKey).isUntouched) drafts.set(draftKey, original);
    setFiles(all.at(draftKey));
  }, [module, session, drafts, draftKey, original, hasFiles]);
  const hasBegun = !hasFiles || files !== undefined || !stored.isUntouched;
  const draft = (hasBegun ? stored : original).withText(text);
  const write = (words: string) => {
    setText(words);
    drafts.set(draftKey, draft.withText(words));
  };
  const edited = useMemo((): EditedFiles | undefined => {
    if (!files) return undefined;
    // Later, the undo button must not begin another edit.
    const undoRemove = (id: string) => branches?.edits.isOpen(chat, message) === true && files.undoRemove(id);
    return {
      ...{ files: files.files, undoRemove },
      ...{ remove: (id) => files.remove(id), retry: (id) => files.retry(id) },
    };
  }, [files, branches, chat, message]);
  return { draft, write, files: edited };
}
