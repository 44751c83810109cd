import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { oneLine } from "#contract/text/name-text.ts";
import type { ForeignChoice } from "#contract/transfer/services/chosen-chats.ts";
import { importServiceNames } from "#contract/transfer/transfer.ts";
import { Button } from "../../../ui/components/button.tsx";
import { CheckField } from "../../../ui/components/fields/check-field.tsx";
import { ChatChoice } from "./chat-choice.tsx";
import { FolderChoice, type ServiceFiling, suggestedFiling } from "./folder-choice.tsx";
import { FolderField } from "./folder-field.tsx";
import { StepHeading } from "./step-heading.tsx";
import { SurveyFacts } from "./survey-facts.tsx";
import type { Surveyed } from "./use-moving.ts";

type PreviewProps = { surveyed: Surveyed; onImport: (choice: ForeignChoice) => void; onCancel: () => void };

/** Contents of a file, and the choices of its import. */
export function Preview({ surveyed, onImport, onCancel }: PreviewProps) {
  const { t } = useTranslation("moving");
  const { chats, service, instructions, folders } = surveyed;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(chats.map(({ position }) => position)));
  const [folder, setFolder] = useState("");
  const [filing, setFiling] = useState(() => suggestedFiling(surveyed));
  const [withInstructions, setWithInstructions] = useState(false);
  return (
    <div className="flex flex-col gap-6 p-4 sm:p-5">
      <div className="flex flex-col gap-4">
        <StepHeading>{t("preview", { service: importServiceNames[service] })}</StepHeading>
        <SurveyFacts surveyed={surveyed} />
      </div>
      {chats.length === 0 ? (
        <p className="text-sm">{t("noChats")}</p>
      ) : (
        <>
          <ChatChoice chats={chats} chosen={chosen} onChange={setChosen} />
          <FolderChoice service={service} folders={folders} value={filing} onChange={setFiling} />
          <FolderField value={folder} onChange={setFolder} />
          {instructions !== undefined && (
            <InstructionsChoice text={instructions} isChosen={withInstructions} onChange={setWithInstructions} />
          )}
        </>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          {t("cancel")}
        </Button>
        {chats.length > 0 && (
          <Button
            disabled={chosen.size === 0}
            onClick={() =>
              onImport({
                ...{ positions: chosen, folder: oneLine(folder), again: false, instructions: withInstructions },
                ...filingOf(folders, filing, (number) => t("projectName", { number })),
              })
            }
          >
            {t("import", { count: chosen.size })}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Returns the choice of folders with their names; those without one are numbered in the order of the file. */
function filingOf(folders: Surveyed["folders"], filing: ServiceFiling, nameOf: (number: number) => string) {
  let unnamed = 0;
  const named = folders
    .filter(({ chats }) => chats > 0)
    .map(({ id, name }): [string, string] => [id, name.trim() || nameOf(++unnamed)]);
  return { folderNames: filing.folders ? new Map(named) : undefined, projectPresets: filing.presets };
}

type InstructionsChoiceProps = { text: string; isChosen: boolean; onChange: (isChosen: boolean) => void };

function InstructionsChoice({ text, isChosen, onChange }: InstructionsChoiceProps) {
  const { t } = useTranslation("moving");
  const hint = useId();
  return (
    <div>
      <CheckField
        label={t("instructions")}
        aria-describedby={hint}
        checked={isChosen}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div className="ps-7.5 text-muted text-xs">
        <p id={hint}>{t("instructionsHint")}</p>
        <details className="mt-1">
          <summary className="w-fit cursor-pointer rounded-control py-1">{t("showInstructions")}</summary>
          <p dir="auto" className="mt-1 whitespace-pre-wrap break-words text-ink text-sm leading-text">
            {text}
          </p>
        </details>
      </div>
    </div>
  );
}
