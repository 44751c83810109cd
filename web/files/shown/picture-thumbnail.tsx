import { RotateCcw } from "lucide-react";
import { type CSSProperties, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { useNear } from "../../ui/use-near.ts";
import { MiddleCutName } from "../middle-cut-name.tsx";
import { PictureOrIcon } from "../picture-or-icon.tsx";
import { usePicture, usePictures } from "./pictures.ts";

type PictureThumbnailProps = {
  file: AttachedFile;
  alt: string;
  className?: string;
  style?: CSSProperties;
  onOpen: () => void;
};

/**
 * A picture of a message, which opens when it is pressed. It is loaded near the view. `className` and `style` reserve its
 * room, which it fills.
 */
export function PictureThumbnail({ file, alt, className, style, onOpen }: PictureThumbnailProps) {
  const { t } = useTranslation("files");
  const element = useRef<HTMLDivElement>(null);
  const pictures = usePictures();
  const state = usePicture(file.id, useNear(element));
  const { name } = file;
  return (
    <div
      ref={element}
      style={style}
      className={cx(
        "relative overflow-hidden rounded-control border border-hairline bg-sunken",
        state.kind === "failed" && "flex items-center justify-center",
        className,
      )}
    >
      {state.kind === "failed" ? (
        <div className="flex max-w-full flex-col items-center gap-0.5 p-2 text-center text-xs">
          <MiddleCutName name={name} />
          <span className="text-muted">{t(state.isGone ? "gone" : "notLoaded")}</span>
          {!state.isGone && (
            <Button
              variant="quiet"
              size="small"
              className="px-2"
              aria-label={t("retryOf", { name })}
              onClick={() => pictures.retry(file.id)}
            >
              <RotateCcw aria-hidden="true" className="size-4 text-muted" />
              {t("retry")}
            </Button>
          )}
        </div>
      ) : (
        <button
          type="button"
          aria-label={t("enlarge", { name })}
          className="absolute inset-0 flex cursor-zoom-in focus-visible:-outline-offset-2"
          onClick={onOpen}
          {...tooltip(name)}
        >
          {state.kind === "loaded" && (
            <PictureOrIcon
              src={state.url}
              alt={alt}
              width={file.width}
              height={file.height}
              decoding="async"
              className="size-full animate-fade object-cover"
            />
          )}
        </button>
      )}
    </div>
  );
}
