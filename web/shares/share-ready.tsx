import { CircleCheck } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/components/button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { reachText } from "./share-texts.ts";
import type { Published } from "./use-share-form.ts";

type ShareReadyProps = { published: Published; onClose: () => void };

/** The address of a link that was just made, and who can open it. */
export function ShareReady({ published: { share, isUpdate, isCopied }, onClose }: ShareReadyProps) {
  const { t } = useTranslation("shares");
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  // The form with the focused button is gone.
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="flex min-w-0 animate-fade flex-col gap-4 p-4 sm:p-6 md:row-span-2 md:min-h-0 md:overflow-y-auto">
      <h3 ref={title} tabIndex={-1} className="flex items-center gap-2 font-medium outline-none">
        <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
        <span>
          {t(isUpdate ? "ready.updated" : "ready.created")}
          {isCopied && <span className="text-muted">. {t("ready.copied")}</span>}
        </span>
      </h3>
      {share.url !== null && (
        <div>
          <label htmlFor={id} className="mb-1.5 block font-medium text-sm">
            {t("ready.address")}
          </label>
          <div className="flex flex-wrap gap-2">
            <input
              id={id}
              readOnly
              dir="ltr"
              value={share.url}
              onFocus={({ currentTarget }) => currentTarget.select()}
              className="h-10 min-w-0 flex-1 basis-48 rounded-control border border-outline bg-sunken px-3 text-sm pointer-coarse:h-11"
            />
            <CopyButton url={share.url} />
          </div>
        </div>
      )}
      <p className="text-pretty text-muted text-sm leading-text">{reachText(share.audience, share.expiresAt)}</p>
      <div className="mt-auto flex justify-end pt-2">
        <Button variant="secondary" onClick={onClose}>
          {t("ready.done")}
        </Button>
      </div>
    </div>
  );
}
