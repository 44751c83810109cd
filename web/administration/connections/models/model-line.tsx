import { useTranslation } from "react-i18next";
import type { ConnectionModel } from "#contract/administration/connections.ts";
import { Button } from "../../../ui/components/button.tsx";
import { Switch } from "../../../ui/components/fields/switch.tsx";
import { textLink } from "../../../ui/components/text-link.ts";
import { isChat, knownOf, unknownTexts, wordsOfFacts } from "./model-words.ts";

type ModelLineProps = {
  model: ConnectionModel;
  /** Whether an owner selects the offered models one by one. */
  isChosen: boolean;
  isBusy: boolean;
  onEdit: () => void;
  onOffer: (isOffered: boolean) => void;
  onRemove: () => void;
};

/** A model with what is known of it, and what is not. */
export function ModelLine({ model, isChosen, isBusy, onEdit, onOffer, onRemove }: ModelLineProps) {
  const { t, i18n } = useTranslation("connections");
  const { name, isListed, isOffered, facts } = model;
  const { label } = knownOf(model);
  const unknown = unknownTexts(model);
  const notes = [
    !isListed && t("models.entered"),
    isChat(model) && !isOffered && !isChosen && t("models.notOffered"),
    !isChat(model) && facts.purpose && t(`purposes.${facts.purpose}`),
    ...wordsOfFacts(model),
  ].filter(Boolean);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p id={`model-${name}`} className="font-medium [overflow-wrap:anywhere]">
          <bdi>{label ?? name}</bdi>
          {label !== undefined && (
            <span className="font-normal text-muted">
              {" · "}
              <bdi>{name}</bdi>
            </span>
          )}
        </p>
        {notes.length > 0 && <p className="mt-0.5 text-muted">{notes.join(" · ")}</p>}
        {isChat(model) && unknown.length > 0 && (
          <p className="mt-0.5 text-muted">
            {t("models.unknown", { facts: new Intl.ListFormat(i18n.language, { type: "unit" }).format(unknown) })}{" "}
            <button type="button" aria-label={t("models.enterLabel", { name })} className={textLink} onClick={onEdit}>
              {t("models.enter")}
            </button>
          </p>
        )}
      </div>
      <div className="flex items-center gap-2">
        {isChosen && isChat(model) && (
          <Switch checked={isOffered} aria-label={t("models.offerLabel", { name })} onChange={onOffer} />
        )}
        <Button variant="quiet" size="small" aria-label={t("models.editLabel", { name })} onClick={onEdit}>
          {t("edit")}
        </Button>
        {!isListed && (
          <Button
            variant="quiet"
            size="small"
            aria-label={t("models.removeLabel", { name })}
            busy={isBusy}
            onClick={onRemove}
          >
            {t("models.remove")}
          </Button>
        )}
      </div>
    </div>
  );
}
