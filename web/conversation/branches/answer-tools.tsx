import { Check, ChevronDown, RefreshCw } from "lucide-react";
import { cloneElement, type ReactElement, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models/models.ts";
import { useModelChoice } from "../../models/model-choice.ts";
import { useModelName } from "../../models/use-model-name.ts";
import { IconButton, type IconButtonProps } from "../../ui/components/icon-button.tsx";
import { MenuGroup, MenuItem, MenuLabel } from "../../ui/components/menu.tsx";
import { OpenedMenu } from "../../ui/lazy/opened-menu.tsx";
import { useChatSession } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { regenerate } from "./regenerate.ts";
import { useIsBusy } from "./use-is-busy.ts";

/**
 * Button for another answer beside this one, or replacing it if there are no branches: by the current model, or by a
 * model of the menu.
 */
export function AnswerTools({ chat, message, isLast }: { chat: string; message: string; isLast: boolean }) {
  const { t } = useTranslation("branches");
  const session = useChatSession();
  const { modelChoice } = session;
  const { value } = useModelChoice(modelChoice);
  const model = useModelName(modelChoice, value);
  const label = value === AUTO_MODEL ? t("regenerate") : t("regenerateWith", { model });
  const focusOnBox = useFocusOnBox();
  const isBusy = useIsBusy(chat);
  const ask = (model: string) => {
    regenerate(session, { chat, message, model });
    // Removing the button must not lose the focus.
    focusOnBox();
  };
  return (
    <>
      <IconButton
        label={label}
        // The key is for the last answer.
        shortcut={isLast ? "regenerate" : undefined}
        icon={<RefreshCw aria-hidden="true" />}
        size="small"
        className="[&_svg]:size-4"
        disabled={isBusy}
        onClick={() => ask(value)}
      />
      <ModelsMenu
        label={t("otherModel")}
        isDisabled={isBusy}
        readWriter={() => session.store.getState().chats.conversations[chat]?.messages.find(({ id }) => id === message)}
        onChoose={ask}
      />
    </>
  );
}

/** Button for a retry with a model of the menu, e.g. if the provider of the current one refuses too many requests. */
export function RetryMenu({ chat }: { chat: string }) {
  const { t } = useTranslation("branches");
  const { replies } = useChatSession();
  const focusOnBox = useFocusOnBox();
  const isBusy = useIsBusy(chat);
  const retry = (model: string) => {
    void replies.answer(chat, "retry", model);
    focusOnBox();
  };
  return <ModelsMenu label={t("retryOther")} isDisabled={isBusy} onChoose={retry} />;
}

type ModelsMenuProps = {
  label: string;
  isDisabled: boolean;
  /** Returns the answer, whose model is marked. */
  readWriter?: () => { model?: string | null } | undefined;
  onChoose: (model: string) => void;
};

/** Menu of the available models. It is rendered when it is first opened, because every answer has one. */
function ModelsMenu({ label, isDisabled, readWriter, onChoose }: ModelsMenuProps) {
  const { t } = useTranslation("branches");
  const { groups } = useModelChoice(useChatSession().modelChoice);
  const [opened, setOpened] = useState<"never" | "by pointer" | "by key">("never");
  const isChosen = useRef(false);
  const offered = groups
    .map(({ label: name, models }) => ({ name, models: models.filter(({ available }) => available) }))
    .filter(({ models }) => models.length > 0);
  if (offered.length === 0) return null;
  const opener: ReactElement<IconButtonProps> = (
    <IconButton
      label={label}
      icon={<ChevronDown aria-hidden="true" />}
      size="small"
      aria-haspopup="menu"
      className="-ms-1.5 w-6 data-[state=open]:bg-hover [&_svg]:size-3.5"
      disabled={isDisabled}
    />
  );
  if (opened === "never") {
    // A key press has a click count of 0.
    return cloneElement(opener, { onClick: ({ detail }) => setOpened(detail === 0 ? "by key" : "by pointer") });
  }
  const writer = readWriter?.()?.model;
  return (
    <OpenedMenu
      trigger={opener}
      isByKey={opened === "by key"}
      align="start"
      aria-label={label}
      // After a choice the box has the focus already.
      onCloseAutoFocus={(event) => isChosen.current && event.preventDefault()}
    >
      {offered.map(({ name, models }) => (
        <MenuGroup key={name}>
          <MenuLabel>{name}</MenuLabel>
          {models.map((model) => (
            <MenuItem
              key={model.value}
              onSelect={() => {
                isChosen.current = true;
                onChoose(model.value);
              }}
            >
              <span className="flex min-w-0 flex-1 flex-col">
                {model.label}
                {model.value === writer && <span className="text-muted text-xs">{t("writer")}</span>}
              </span>
              {model.value === writer && <Check aria-hidden="true" className="text-accent" />}
            </MenuItem>
          ))}
        </MenuGroup>
      ))}
    </OpenedMenu>
  );
}
