/** Warning about files that the chosen model does not read. Loaded with the first file of a draft. */

import { TriangleAlert } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models/models.ts";
import files from "../../locales/en/files.json";
import { registerTexts } from "../../locales/i18n.ts";
import { type ModelChoice, useModelChoice } from "../../models/model-choice.ts";
import { useModelName } from "../../models/use-model-name.ts";
import { Button } from "../../ui/components/button.tsx";
import { useFocusOnBox } from "../composer-box.ts";
import { unreadFiles } from "./unread-files.ts";

registerTexts("files", files);

/** More models are in the menu. */
const MOST_OFFERED = 3;

type UnreadWarningProps = { files: readonly { type: string }[]; choice: ModelChoice };

/** Says what the model will not receive, and offers the models that receive it. */
export function UnreadWarning({ files: attached, choice }: UnreadWarningProps) {
  const { groups, all, value } = useModelChoice(choice);
  const found = useMemo(() => unreadFiles(attached, groups, value, all), [attached, groups, all, value]);
  const words = useWords(found?.unread ?? [], choice, value);
  const focusOnBox = useFocusOnBox();
  const { t } = useTranslation("files");
  return (
    // Rendered empty at first: screen readers announce only later changes of a live region.
    <div role="status">
      {found && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-2.5 text-sm">
          <p className="flex min-w-0 items-start gap-2 leading-text">
            <TriangleAlert aria-hidden="true" className="mt-[0.2em] size-4 shrink-0 text-warning" />
            {words}
          </p>
          <div className="flex min-w-0 flex-wrap gap-2">
            {found.readers.slice(0, MOST_OFFERED).map((model) => (
              <Button
                key={model.value}
                variant="secondary"
                size="small"
                className="min-w-0 max-w-full"
                onClick={() => {
                  choice.choose(model.value);
                  // The button is removed.
                  focusOnBox();
                }}
              >
                <span className="truncate">{t("unread.use", { model: model.label })}</span>
              </Button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function useWords(unread: readonly ("picture" | "pdf")[], choice: ModelChoice, value: string): string {
  const { t } = useTranslation("files");
  const model = useModelName(choice, value);
  const [kind = "picture", more] = unread;
  if (value === AUTO_MODEL) {
    if (more) return t("unread.anyBoth");
    return t(kind === "picture" ? "unread.anyPicture" : "unread.anyPdf");
  }
  return t(more ? "unread.both" : `unread.${kind}`, { model });
}
