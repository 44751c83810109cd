import { ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models.ts";
import { Button } from "../ui/button.tsx";
import { Menu, MenuContent, MenuGroup, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuTrigger } from "../ui/menu.tsx";
import { useChatSession } from "./chat-session.ts";
import { useModelChoice } from "./model-choice.ts";

/** Which model answers: automatic choice or one of the server's, by groups; those without their key are marked. */
export function ModelMenu() {
  const { t } = useTranslation("chat");
  const { modelChoice } = useChatSession();
  const trigger = useRef<HTMLButtonElement>(null);
  const [main, setMain] = useState<HTMLElement | null>(null);
  const { groups, value } = useModelChoice(modelChoice);
  const chosen = groups.flatMap(({ models }) => models).find((model) => model.value === value);
  // A preset may bring a model along that is not there any more.
  const name = chosen?.label ?? (value === AUTO_MODEL ? t("model.auto") : value.slice(value.indexOf(":") + 1));
  return (
    <Menu modal={false} onOpenChange={() => setMain(trigger.current?.closest("main") ?? null)}>
      <MenuTrigger asChild>
        <Button
          ref={trigger}
          variant="quiet"
          size="small"
          aria-label={t("model.named", { name })}
          className="min-w-0 px-2 font-normal text-muted data-[state=open]:bg-hover"
        >
          <span className="truncate">{name}</span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
        </Button>
      </MenuTrigger>
      <MenuContent container={main} align="start" side="top" aria-label={t("model.label")}>
        <MenuRadioGroup value={value} onValueChange={(model) => modelChoice.choose(model)}>
          <MenuRadioItem value={AUTO_MODEL}>
            <ModelName name={t("model.auto")} note={t("model.autoHint")} />
          </MenuRadioItem>
          {groups.map(({ label, models }) => (
            <MenuGroup key={label}>
              <MenuLabel>{label}</MenuLabel>
              {models.map((model) => (
                <MenuRadioItem key={model.value} value={model.value} className={model.available ? "" : "text-muted"}>
                  <ModelName name={model.label} note={model.available ? null : t("model.unavailable")} />
                </MenuRadioItem>
              ))}
            </MenuGroup>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}

function ModelName({ name, note }: { name: string; note: string | null }) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      {name}
      {note !== null && <span className="text-muted text-xs">{note}</span>}
    </span>
  );
}
