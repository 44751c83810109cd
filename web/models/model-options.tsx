import { ChevronRight } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL, type ModelOption } from "#contract/models/models.ts";
import {
  MenuGroup,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
} from "../ui/components/menu.tsx";
import { OpenedMenu } from "../ui/lazy/opened-menu.tsx";
import { useGoToSettings } from "../ui/use-go-to-settings.ts";
import { type Missing, separateNotSetUp, stateText, withChosen } from "./listed-models.ts";
import { type ModelChoice, useModelChoice } from "./model-choice.ts";
import { isDemo } from "./model-name.ts";

type Listed = Missing & Pick<Partial<ModelOption>, "default">;

/** Menu of automatic choice and the server's models, by group; models that cannot be used now are marked. */
export default function ModelOptions({
  choice,
  ...menu
}: {
  choice: ModelChoice;
  trigger: ReactElement;
  isByKey: boolean;
}) {
  const { t } = useTranslation(["chat", "modelMenu"]);
  const { groups, value } = useModelChoice(choice);
  const goToSettings = useGoToSettings();
  const { ready, notSetUp } = separateNotSetUp<Listed>(withChosen(groups, value));
  const noteOf = (model: Listed) => stateText(model) ?? (model.default ? t("modelMenu:groupDefault") : null);
  return (
    <OpenedMenu {...menu} align="start" side="top" aria-label={t("model.label")}>
      {isDemo(groups) && (
        <MenuGroup>
          <MenuLabel>{t("model.none")}</MenuLabel>
          <MenuItem
            icon={<ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />}
            onSelect={() => goToSettings("models")}
          >
            {t("model.setUp")}
          </MenuItem>
          <MenuSeparator />
        </MenuGroup>
      )}
      <MenuRadioGroup value={value} onValueChange={(model) => choice.choose(model)}>
        <MenuRadioItem value={AUTO_MODEL}>
          <ModelName name={t("model.auto")} note={t("model.autoHint")} />
        </MenuRadioItem>
        {ready.map(({ label, models }) => (
          <MenuGroup key={label}>
            <MenuLabel>{label}</MenuLabel>
            {models.map((model) => (
              <ModelItem key={model.value} model={model} note={noteOf(model)} />
            ))}
          </MenuGroup>
        ))}
        {notSetUp.length > 0 && (
          <NotSetUp count={notSetUp.length} hasChosen={notSetUp.some(({ model }) => model.value === value)}>
            {notSetUp.map(({ model, connection }) => (
              <ModelItem key={model.value} model={model} note={`${connection} · ${noteOf(model)}`} />
            ))}
          </NotSetUp>
        )}
      </MenuRadioGroup>
    </OpenedMenu>
  );
}

/** `hasChosen`: one of the models is chosen, and must be visible. */
type NotSetUpProps = { count: number; hasChosen: boolean; children: ReactNode };

/** Section of the models that cannot answer, closed until its item is chosen. */
function NotSetUp({ count, hasChosen, children }: NotSetUpProps) {
  const { t, i18n } = useTranslation("modelMenu");
  const [isOpen, setOpen] = useState(hasChosen);
  const toggle = (event: Event) => {
    event.preventDefault();
    setOpen(!isOpen);
  };
  return (
    <MenuGroup aria-label={t("notSetUpGroup")}>
      <MenuSeparator />
      <MenuItem
        aria-expanded={isOpen}
        className="text-muted"
        icon={<ChevronRight aria-hidden="true" className={isOpen ? "rotate-90" : "rtl:-scale-x-100"} />}
        onSelect={toggle}
      >
        <span className="flex-1">{t("notSetUpGroup")}</span>
        <span className="text-xs tabular-nums">{new Intl.NumberFormat(i18n.language).format(count)}</span>
      </MenuItem>
      {isOpen && children}
    </MenuGroup>
  );
}

function ModelItem({ model: { value, label, available }, note }: { model: Listed; note: string | null }) {
  return (
    <MenuRadioItem value={value} className={available ? "" : "text-muted"}>
      <ModelName name={label} note={note} />
    </MenuRadioItem>
  );
}

function ModelName({ name, note }: { name: string; note: string | null }) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <bdi className="own-way">{name}</bdi>
      {note !== null && <span className="text-muted text-xs">{note}</span>}
    </span>
  );
}
