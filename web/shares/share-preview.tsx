import { RefreshCw } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FailureBanner } from "../forms/failure-banner.tsx";
import { fillPage } from "../shared-page/page/fill-page.ts";
import styles from "../shared-page/page/page.css?inline";
import { Button } from "../ui/components/button.tsx";
import { cx } from "../ui/components/cx.ts";
import { Skeleton } from "../ui/components/skeleton.tsx";
import { Spinner } from "../ui/components/spinner.tsx";
import { sharesApi } from "./shares-api.ts";
import type { DraftPreview, ShareDraftState } from "./use-share-draft.ts";

/**
 * The page of a draft as its readers will see it, in a frame that scrolls. An outdated one is dimmed.
 * @param props.linkId link that the draft has become; null before
 */
export function SharePreview({ draft, linkId }: { draft: ShareDraftState; linkId: string | null }) {
  const { preview, isBusy, failure, renderAgain } = draft;
  const { t } = useTranslation("shares");
  return (
    <section
      aria-label={t("preview.title")}
      className="flex min-w-0 flex-col gap-2 bg-sunken p-4 md:col-start-2 md:row-span-2 md:row-start-1 md:min-h-0"
    >
      <div className="flex min-h-8 items-center gap-3">
        <p className="min-w-0 flex-1 truncate text-sm">
          <span className="font-medium">{t("preview.title")}</span>
          <span className="ms-2 text-muted">{t("preview.text")}</span>
        </p>
        {isBusy && <Spinner className="text-muted" />}
        {!isBusy && linkId === null && (
          <Button variant="quiet" size="small" className="text-muted" onClick={renderAgain}>
            <RefreshCw aria-hidden="true" className="size-4" />
            <span className="max-sm:sr-only">{t("preview.refresh")}</span>
          </Button>
        )}
        <p role="status" className="sr-only">
          {failure === null && t(isBusy ? "preview.rendering" : "preview.rendered")}
        </p>
      </div>
      <FailureBanner failure={failure} />
      {preview && failure === null ? (
        <Frame preview={preview} sourceId={linkId ?? preview.draft.id} isOutdated={isBusy} />
      ) : (
        <div className="flex min-h-48 flex-1 flex-col gap-4 rounded-control border border-hairline bg-page p-8">
          {isBusy && ["h-8 w-3/5", "h-4 w-2/5", "h-24 w-full"].map((size) => <Skeleton key={size} className={size} />)}
        </div>
      )}
    </section>
  );
}

type FrameProps = {
  preview: DraftPreview;
  /** Link or draft whose files are read. */
  sourceId: string;
  isOutdated: boolean;
};

function Frame({ preview, sourceId, isOutdated }: FrameProps) {
  const { t } = useTranslation("shares");
  const host = useRef<HTMLDivElement>(null);
  // Publication does not build the page again: pictures that are loaded stay.
  const readFile = useEffectEvent((position: number) => sharesApi.readFile(sourceId, position));
  useEffect(() => {
    if (!host.current) return;
    const shown = new AbortController();
    fillPage(shadowOf(host.current), {
      ...preview,
      readFile: (position) => readFile(position),
      signal: shown.signal,
    });
    return () => shown.abort();
  }, [preview]);
  return (
    <section
      aria-label={t("preview.text")}
      aria-busy={isOutdated}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      className={cx(
        "isolate min-h-48 flex-1 overflow-y-auto overscroll-contain rounded-control border border-hairline bg-page transition-opacity max-md:max-h-[60dvh]",
        isOutdated && "opacity-50",
      )}
    >
      <div ref={host} />
    </section>
  );
}

/** Returns the shadow root of an element, in which the styles of the page apply and no others. */
function shadowOf(host: HTMLElement): ShadowRoot {
  if (host.shadowRoot) return host.shadowRoot;
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets.push(sheet);
  return root;
}
