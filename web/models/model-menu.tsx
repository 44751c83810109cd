import { ChevronDown } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models.ts";
import { Button } from "../ui/components/button.tsx";
import { LazyMenu } from "../ui/lazy/lazy-menu.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";
import { type ModelChoice, useModelChoice } from "./model-choice.ts";

const modelOptionsModule = lazyModule(() => import("./model-options.tsx"), "behind-chat");

/** Button with the current model that opens the list of models. Memoized: typing in the box does not render it. */
export const ModelMenu = memo(function ModelMenu({ choice }: { choice: ModelChoice }) {
  const { t } = useTranslation("chat");
  const { groups, value } = useModelChoice(choice);
  const chosen = groups.flatMap(({ models }) => models).find((model) => model.value === value);
  // The model of a preset may have been removed.
  const name = chosen?.label ?? (value === AUTO_MODEL ? t("model.auto") : value.slice(value.indexOf(":") + 1));
  return (
    <LazyMenu
      module={modelOptionsModule}
      menuProps={{ choice }}
      trigger={
        <Button
          variant="quiet"
          size="small"
          aria-label={t("model.named", { name })}
          className="min-w-0 px-2 font-normal text-muted data-[state=open]:bg-hover"
        >
          <span dir="auto" className="truncate">
            {name}
          </span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
        </Button>
      }
    />
  );
});
