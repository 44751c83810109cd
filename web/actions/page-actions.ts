import {
  Keyboard,
  Link,
  LogOut,
  type LucideIcon,
  MessageCircleDashed,
  MessageCircleX,
  PanelLeft,
  ShieldCheck,
  SquarePen,
  SunMoon,
  UsersRound,
} from "lucide-react";
import { appearanceChoices } from "#contract/accounts/preferences.ts";
import { changeAccountAppearance } from "../accounts/account-preferences.ts";
import { beginChatAlsoOffline } from "../chats/begin-chat-offline.ts";
import { chatAddress, TEMPORARY_ADDRESS } from "../chats/chat-address.ts";
import { toggleSidebar } from "../chats/panel/sidebar-shape.ts";
import { selectIsMakingRoom } from "../chats/state/chats-selectors.ts";
import { moveDraft, pendingDraftMove } from "../conversation/attachments/move-draft.ts";
import { i18n } from "../locales/i18n.ts";
import { currentAppearance } from "../ui/appearance/appearance.ts";
import { runLatestAction } from "../ui/notifications/notify.ts";
import { type SettingsLocation, settingsSections } from "../ui/settings-sections.ts";
import type { Action, ActionLabel, Choice } from "./action.ts";
import type { ActionContext } from "./action-context.ts";
import { administrationModule, mayAdminister } from "./administration-module.ts";
import { goAlong } from "./go-along.ts";

const isEmpty = ({ conversation, isWriting }: ActionContext) =>
  !isWriting && (conversation?.messages.length ?? 0) === 0;

/** From another page, only opens the chat page: a failed creation would be reported there. */
async function newChat({ storedSession, hasChats, go, leaveList }: ActionContext): Promise<void> {
  if (!hasChats) go(chatAddress(null));
  else if (await storedSession.store.dispatch(beginChatAlsoOffline(go))) leaveList();
}

/** Opens the temporary chat; the draft of an empty chat moves along. */
function beginTemporary(context: ActionContext): void {
  const { storedSession, chat, conversation, hasChats, go, leaveList } = context;
  if (hasChats && isEmpty(context) && (chat === null || conversation))
    storedSession.get(pendingDraftMove).set({ chat });
  leaveList();
  go(TEMPORARY_ADDRESS);
}

function endTemporary(context: ActionContext): void {
  const { session, storedSession, chat, go } = context;
  if (isEmpty(context)) moveDraft(session, chat, storedSession);
  go(chatAddress(null));
}

const settingsAction = (location: SettingsLocation, label: ActionLabel, icon: LucideIcon): Action => ({
  id: `settings-${location}`,
  label,
  alsoFoundBy: location === "tools" ? "actions:toolServers" : "app:page.settings",
  icon,
  group: "app",
  isEverywhere: true,
  run: ({ goToSettings }) => goToSettings(location),
});

function themesToChoose(): Choice[] {
  const { theme: chosen } = currentAppearance();
  return appearanceChoices.theme.map((theme) => ({
    id: theme,
    name: i18n.t(`actions:theme.${theme}`),
    isChosen: theme === chosen,
    run: () => changeAccountAppearance({ theme }),
  }));
}

/** Actions that are independent of the current chat. */
export const pageActions: readonly Action[] = [
  {
    id: "newChat",
    label: "actions:label.newChat",
    icon: SquarePen,
    group: "begin",
    isEverywhere: true,
    when: ({ storedSession }) => !selectIsMakingRoom(storedSession.store.getState()),
    run: (context) => void newChat(context),
  },
  {
    id: "temporaryChat",
    label: "actions:label.temporaryChat",
    icon: MessageCircleDashed,
    group: "begin",
    isEverywhere: true,
    when: ({ session }) => !session.storedSession,
    run: beginTemporary,
  },
  {
    id: "endTemporary",
    label: "actions:label.endTemporary",
    icon: MessageCircleX,
    group: "begin",
    when: ({ session }) => session.storedSession !== null,
    run: endTemporary,
  },
  ...settingsSections.map(({ section, Icon, name }) => settingsAction(section, name, Icon)),
  // Sections that are found by their own names.
  settingsAction("security#activity", "chat:settings.activity", ShieldCheck),
  settingsAction("data#shared-links", "chat:settings.sharedLinks", Link),
  {
    id: "administration",
    label: "chat:settings.administration",
    icon: UsersRound,
    group: "app",
    isEverywhere: true,
    when: mayAdminister,
    run: ({ open }) => open({ kind: "palette", scope: "administration" }),
    choices: ({ goTo }) => administrationModule.get()?.pagesToChoose(goTo) ?? [],
  },
  {
    id: "theme",
    label: "actions:label.theme",
    icon: SunMoon,
    group: "app",
    isEverywhere: true,
    run: ({ open }) => open({ kind: "palette", scope: "theme" }),
    choices: themesToChoose,
  },
  {
    id: "sidebar",
    label: "actions:label.sidebar",
    icon: PanelLeft,
    group: "app",
    // On a phone, a drawer.
    when: ({ hasChats }) => hasChats && matchMedia("(width >= 48rem)").matches,
    run: toggleSidebar,
  },
  {
    id: "shortcuts",
    label: "chat:settings.shortcuts",
    icon: Keyboard,
    group: "help",
    isEverywhere: true,
    run: ({ open }) => open({ kind: "shortcuts" }),
  },
  {
    id: "signOut",
    label: "actions:label.signOut",
    icon: LogOut,
    group: "help",
    isEverywhere: true,
    isDrastic: true,
    run: ({ signOut }) => signOut(),
  },
  {
    id: "palette",
    label: "actions:keyLabel.palette",
    group: null,
    isEverywhere: true,
    run: ({ open }) => open({ kind: "palette" }),
  },
  {
    id: "settings",
    label: "actions:keyLabel.settings",
    group: null,
    isEverywhere: true,
    run: ({ goToSettings }) => goToSettings("account"),
  },
  {
    id: "focusBox",
    label: "actions:keyLabel.focusBox",
    group: null,
    run: ({ box }) => box.current?.focus(),
  },
  {
    id: "previousChat",
    label: "actions:keyLabel.previousChat",
    group: null,
    run: (context, isHeld) => goAlong(context, -1, isHeld),
  },
  {
    id: "nextChat",
    label: "actions:keyLabel.nextChat",
    group: null,
    run: (context, isHeld) => goAlong(context, 1, isHeld),
  },
  {
    id: "undo",
    label: "actions:keyLabel.undo",
    group: null,
    isEverywhere: true,
    run: () => void runLatestAction(),
  },
];
