/** Lazy module of the actions on pages without a chat. */

import { useEffect, useEffectEvent, useMemo } from "react";
import { Provider } from "react-redux";
import { useSession } from "../accounts/session/session.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { ChatSessionContext } from "../conversation/chat-session.ts";
import { openStoredSession } from "../conversation/stored-session.ts";
import { useLogout } from "../conversation/use-logout.tsx";
import { useActionContext } from "./action-context.ts";
import ChatPageActions from "./chat-page-actions.tsx";
import type { FirstAction } from "./first-keys.ts";
import { actions } from "./registry.ts";

/** `first`: the action of the shortcut that loaded the module. */
type ElsewhereProps = { first: FirstAction };

export default function OtherPageActions({ first }: ElsewhereProps) {
  const { user } = useSession();
  const account = user?.id ?? "";
  const session = useMemo(() => openStoredSession(account), [account]);
  // A dialog that is open here must not stay open on the chat page.
  useEffect(() => () => void session.store.dispatch(chatEvents.organise({ dialog: null })), [session]);
  return (
    <ChatSessionContext value={session}>
      <Provider store={session.store}>
        <Elsewhere key={account} first={first} />
      </Provider>
    </ChatSessionContext>
  );
}

function Elsewhere({ first }: ElsewhereProps) {
  const { logout, question } = useLogout();
  const props = { page: "other", onLogout: logout, onChosen: () => {} } as const;
  const readContext = useActionContext(props);
  const begin = useEffectEvent(() => actions.find(({ id }) => id === first)?.run(readContext(), false));
  useEffect(() => begin(), []);
  return (
    <>
      <ChatPageActions {...props} />
      {question}
    </>
  );
}
