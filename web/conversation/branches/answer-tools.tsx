import { ChevronDown, RefreshCw } from "lucide-react";
import { type MouseEvent, type Ref, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useModelChoice } from "../../models/model-choice.ts";
import { IconButton, type IconButtonProps } from "../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuGroup, MenuItem, MenuLabel, MenuTrigger } from "../../ui/components/menu.tsx";
import { useChatSession } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { regenerate } from "./regenerate.ts";
import { useIsBusy } from "./use-is-busy.ts";

/** Another answer beside this one, or where there are no branches in its place: by the model that is chosen now, or by one of the menu. */
export function AnswerTools({ chat, message }: { chat: string; message: string }) {
  const { t } = useTranslation("branches");
  const session = useChatSession();
  const { modelChoice } = session;
  const { groups } = useModelChoice(modelChoice);
  const focusOnBox = useFocusOnBox();
  const isBusy = useIsBusy(chat);
  const ask = (model: string) => {
    regenerate(session, { chat, message, model });
    // The button goes: the focus must not go with it.
    focusOnBox();
  };
  const offered = groups
    .map(({ label, models }) => ({ label, models: models.filter(({ available }) => available) }))
    .filter(({ models }) => models.length > 0);
  return (
    <>
      <IconButton
        label={t("regenerate")}
        title={t("regenerate")}
        icon={<RefreshCw aria-hidden="true" />}
        size="small"
        className="[&_svg]:size-4"
        disabled={isBusy}
        onClick={() => ask(modelChoice.current().value)}
      />
      {offered.length > 0 && <ModelsMenu groups={offered} isDisabled={isBusy} onChoose={ask} />}
    </>
  );
}

type ModelsMenuProps = {
  groups: { label: string; models: { value: string; label: string }[] }[];
  isDisabled: boolean;
  onChoose: (model: string) => void;
};

/** The menu itself is built when it is first opened: every answer has one. */
function ModelsMenu({ groups, isDisabled, onChoose }: ModelsMenuProps) {
  const { t } = useTranslation("branches");
  const opener = useRef<HTMLButtonElement>(null);
  const [main, setMain] = useState<HTMLElement | null>(null);
  const isChosen = useRef(false);
  const isByKeyboard = useRef(false);
  const label = t("otherModel");
  if (!main) {
    const open = (event: MouseEvent) => {
      isByKeyboard.current = event.detail === 0;
      setMain(opener.current?.closest("main") ?? null);
    };
    return <Opener ref={opener} label={label} disabled={isDisabled} onClick={open} />;
  }
  // The menu has not seen the key that opened it, so it leaves its first item alone.
  const focusFirst = (content: HTMLElement | null) => {
    if (!content || !isByKeyboard.current) return;
    isByKeyboard.current = false;
    requestAnimationFrame(() => content.querySelector<HTMLElement>("[role=menuitem]")?.focus());
  };
  return (
    <Menu modal={false} defaultOpen>
      <MenuTrigger asChild>
        <Opener label={label} disabled={isDisabled} />
      </MenuTrigger>
      <MenuContent
        ref={focusFirst}
        container={main}
        align="start"
        aria-label={label}
        // With a choice the focus is in the box already.
        onCloseAutoFocus={(event) => isChosen.current && event.preventDefault()}
      >
        {groups.map(({ label: name, models }) => (
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
                {model.label}
              </MenuItem>
            ))}
          </MenuGroup>
        ))}
      </MenuContent>
    </Menu>
  );
}

function Opener({ ref, ...rest }: Omit<IconButtonProps, "icon"> & { ref?: Ref<HTMLButtonElement> }) {
  return (
    <IconButton
      ref={ref}
      title={rest.label}
      icon={<ChevronDown aria-hidden="true" />}
      size="small"
      aria-haspopup="menu"
      className="-ms-1.5 w-6 data-[state=open]:bg-hover [&_svg]:size-3.5"
      {...rest}
    />
  );
}
