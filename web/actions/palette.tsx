/** Lazy module of the palette, with its own texts. */

import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { chatAddress, foundBy } from "../chats/chat-address.ts";
import { shownTitle } from "../chats/shown-title.ts";
import { selectChats, selectFolders, selectMarkedChat } from "../chats/state/chats-selectors.ts";
import { useChatsSelector } from "../chats/state/chats-store.ts";
import type { PaletteEntries as Offered } from "../search/palette-entry.ts";
import { SearchDialog } from "../search/search-dialog.tsx";
import { useLazyModule } from "../ui/lazy/lazy-module.ts";
import { type Action, type Choice, isPossible } from "./action.ts";
import { type ActionContext, type ActionsProps, useActionContext } from "./action-context.ts";
import { administrationModule, mayAdminister } from "./administration-module.ts";
import { choicesInScope, entriesOf } from "./entries.tsx";
import { keepFocus } from "./keep-focus.ts";
import { actions } from "./registry.ts";

export { ShortcutsDialog } from "./shortcuts-dialog.tsx";

type PaletteProps = ActionsProps & {
  /** Text that was typed while the palette was loading. */
  typed: string;
  /** Id of the action whose choices are the only entries. */
  scope: string | undefined;
  onClose: () => void;
};

/** Command palette: actions and search in one field. */
export function Palette({ typed, scope, onClose, ...props }: PaletteProps) {
  const { t } = useTranslation(["actions", "chat", "app"]);
  const navigate = useNavigate();
  const readContext = useActionContext(props);
  const folders = useChatsSelector(selectFolders);
  const chats = useChatsSelector(selectChats);
  const marked = useChatsSelector(selectMarkedChat);
  const [begun] = useState(scope);
  const next = useRef<(() => void) | null>(null);
  // Its pages are entries once it is loaded.
  useLazyModule(administrationModule, mayAdminister());
  const scoped = actions.find(({ id }) => id === scope);

  const choose = (action: Action, choice?: Choice) => {
    if (action.choices && !choice) {
      action.run(readContext(), false);
      return;
    }
    next.current = choice?.run ?? (() => runNow(action, readContext()));
    onClose();
  };
  const context = readContext();
  const way = { context, t, choose };
  const palette: Offered = {
    entriesFor: (query) => (scoped ? choicesInScope(scoped, query, way) : entriesOf(query, way)),
    chats: chats.filter(({ id }) => id !== marked).map((chat) => ({ ...chat, title: shownTitle(chat) })),
    recentLabel: t("actions:group.recent"),
    scope: scoped
      ? {
          label: t(scoped.label),
          isStep: scope !== begun,
          onBack: () => context.open({ kind: "palette" }),
        }
      : null,
  };
  return (
    <SearchDialog
      typed={typed}
      folders={folders}
      palette={palette}
      onClose={onClose}
      onChoose={(chat, message, query) => {
        void navigate(chatAddress(chat, message), message === null ? {} : { state: foundBy(query) });
        props.onChosen();
      }}
      onGone={() => {
        const run = next.current;
        next.current = null;
        // Run after the focus is restored: a dialog that opens now returns it there.
        if (run)
          setTimeout(() => {
            run();
            keepFocus(context);
          });
      }}
    />
  );
}

/** Runs an action if it is still possible: the state may have changed since the palette was opened. */
function runNow(action: Action, context: ActionContext): void {
  if (isPossible(action, context)) action.run(context, false);
}
