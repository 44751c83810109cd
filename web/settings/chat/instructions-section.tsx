import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instructions } from "#contract/conversation/preset-calls.ts";
import { INSTRUCTIONS_MAX } from "#contract/limits.ts";
import { unsavedWords } from "../../accounts/session/unsaved-words.ts";
import { issueText } from "../../api/problem-text.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { onPresetsChanged } from "../../presets/presets-changes.ts";
import { useResource } from "../../queries/use-resource.ts";
import { Button } from "../../ui/components/button.tsx";
import { TextArea } from "../../ui/components/fields/text-area.tsx";
import { Skeleton } from "../../ui/components/skeleton.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { presetsApi } from "./presets-api.ts";
import { type Conflict, useAutosave } from "./use-autosave.ts";

/** Instructions for every model in all chats of the account. */
export function InstructionsSection() {
  const { t } = useTranslation("presets");
  const { value, error, reload, change } = useResource(presetsApi.readInstructions);
  useEffect(() => onPresetsChanged(() => void reload()), [reload]);
  return (
    <Section title={t("instructions.title")} text={t("instructions.text")}>
      <div className="p-4 sm:p-5">
        {value !== null && <InstructionsField initial={value.instructions} onSaved={change} />}
        {error !== null && <LoadFailure error={error} onRetry={reload} />}
        {value === null && error === null && <Skeleton className="h-36 w-full" />}
      </div>
    </Section>
  );
}

/** Field for the instructions: a reload or a remote change does not overwrite a text that is being edited. */
function InstructionsField({ initial, onSaved }: { initial: string; onSaved: (saved: Instructions) => void }) {
  const { t } = useTranslation("presets");
  const [unsaved] = useState(() => unsavedWords("instructions"));
  const save = useCallback(
    async (instructions: string, signal: AbortSignal) => {
      await presetsApi.changeInstructions(instructions, signal);
      // Update the value here: a read that is in flight may return the previous one.
      onSaved({ instructions });
    },
    [onSaved],
  );
  const { value, change, begin, flush, state, isLeft, hasSaved, failure, undo, conflict } = useAutosave(
    initial,
    INSTRUCTIONS_MAX,
    save,
    unsaved,
  );
  const label = t("instructions.title");
  const isTooLong = value.length > INSTRUCTIONS_MAX;
  const area = useRef<HTMLTextAreaElement>(null);
  const issue = { field: "instructions", rule: "max", n: INSTRUCTIONS_MAX } as const;
  return (
    <div className="flex flex-col gap-3">
      <FailureBanner failure={failure} />
      {conflict && <ConflictBanner conflict={conflict} onChoose={() => area.current?.focus()} />}
      <TextArea
        ref={area}
        label={label}
        isLabelHidden
        rows={6}
        limit={INSTRUCTIONS_MAX}
        value={value}
        placeholder={t("instructions.placeholder")}
        error={isTooLong ? issueText(issue, label) : undefined}
        onChange={(event) => change(event.target.value)}
        onFocus={begin}
        onBlur={flush}
      >
        <div className="flex min-h-8 items-center gap-3">
          <FormStatus text={state === "saved" && hasSaved ? t("instructions.saved") : null} />
          {state === "saving" && <span className="text-muted">{t("instructions.saving")}</span>}
          {state === "unsaved" && isLeft && !conflict && <span className="text-muted">{t("unsaved")}</span>}
          {state === "unsaved" && !isLeft && failure && (
            <span className="text-muted">{t("instructions.notSaved")}</span>
          )}
          {undo && !conflict && (
            <Button variant="quiet" size="small" className="-ms-1 text-muted" onClick={undo}>
              {t("instructions.undo")}
            </Button>
          )}
        </div>
      </TextArea>
    </div>
  );
}

/** Offers both texts. `onChoose` runs before the choice, to move the focus from buttons that then disappear. */
function ConflictBanner({ conflict, onChoose }: { conflict: Conflict; onChoose: () => void }) {
  const { t } = useTranslation("presets");
  const choose = (act: () => void) => () => {
    onChoose();
    act();
  };
  return (
    <Banner tone="warning">
      <p>{t("instructions.conflict")}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button variant="secondary" size="small" onClick={choose(conflict.saveOwn)}>
          {t("instructions.saveOwn")}
        </Button>
        <Button variant="secondary" size="small" onClick={choose(conflict.useOther)}>
          {t("instructions.useOther")}
        </Button>
      </div>
    </Banner>
  );
}
