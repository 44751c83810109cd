import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { selectTitleOf, selectWrittenChats } from "../state/chats-selectors.ts";
import { chatEvents } from "../state/chats-slice.ts";
import { type ChatsThunk, useChatsDispatch, useChatsSelector } from "../state/chats-store.ts";

const shareModule = lazyModule(() => import("../../shares/share-dialog.tsx"));

/** Dialog of the links to a chat, loaded when it is first opened. */
export function ShareChat({ chat, onClose }: { chat: string; onClose: () => void }) {
  const dispatch = useChatsDispatch();
  const share = useLazyModule(shareModule, true, onClose);
  const title = useChatsSelector(selectTitleOf(chat));
  const isWriting = useChatsSelector((root) => selectWrittenChats(root).has(chat));
  if (!share) return null;
  return (
    <share.ShareDialog
      chat={{ id: chat, title, isWriting }}
      onShared={(isShared) => dispatch(markShared(chat, isShared))}
      onClose={onClose}
    />
  );
}

/** Marks a chat of the list as shared or not, before the account's event arrives. */
function markShared(chat: string, isShared: boolean): ChatsThunk<void> {
  return (dispatch, getState) => {
    const { chats } = getState().chats;
    const item = chats.find(({ id }) => id === chat);
    if (!item || (item.isShared ?? false) === isShared) return;
    dispatch(chatEvents.organise({ chats: chats.map((each) => (each === item ? { ...each, isShared } : each)) }));
  };
}
