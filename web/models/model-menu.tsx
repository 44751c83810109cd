import { ChevronDown } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/components/button.tsx";
import { LazyMenu } from "../ui/lazy/lazy-menu.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";
import { tooltip } from "../ui/tooltips/tooltip.ts";
import { type ModelChoice, useModelChoice } from "./model-choice.ts";
import { isDemo, isLongList } from "./model-name.ts";
import { useModelName } from "./use-model-name.ts";

const modelOptionsModule = lazyModule(() => import("./model-options.tsx"), "after-chat");

/** The same menu for a list that is too long to be read through. */
const modelSearchModule = lazyModule(() => import("./search/chat-model-search.tsx"), "after-chat");

/** Button with the current model that opens the list of models. Memoized: typing in the box does not render it. */
export const ModelMenu = memo(function ModelMenu({ choice }: { choice: ModelChoice }) {
  const { t } = useTranslation("chat");
  const { groups, value } = useModelChoice(choice);
  const chosen = useModelName(choice, value);
  const hasNone = isDemo(groups);
  const name = hasNone ? t("model.demo") : chosen;
  const isLong = !hasNone && isLongList(groups);
  return (
    <LazyMenu
      key={`${isLong}`}
      module={isLong ? modelSearchModule : modelOptionsModule}
      menuProps={{ choice }}
      trigger={
        <Button
          variant="quiet"
          size="small"
          aria-label={t("model.named", { name })}
          {...tooltip(t("model.named", { name }), { shortcut: "chooseModel" })}
          className="min-w-0 px-2 font-normal text-muted data-[state=open]:bg-hover max-[22rem]:gap-1 max-[22rem]:px-1"
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
