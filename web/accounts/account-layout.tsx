import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../ui/components/cx.ts";
import { Link } from "../ui/components/link.tsx";
import { Wordmark } from "../ui/components/wordmark.tsx";
import { useAuthConfig } from "./auth-config.ts";
import { useLanguageSelect } from "./use-language-select.tsx";
import { VoicesDrawing } from "./voices-drawing.tsx";

/**
 * Layout of the account pages: one column, and on wide screens a drawing in the other half. The position of the heading
 * is independent of the height below it, and fields reserve a line for their errors: nothing moves when
 * an error appears. `isTall`: with less space above the heading.
 */
export function AccountLayout({ isTall = false, children }: { isTall?: boolean; children: ReactNode }) {
  const { t } = useTranslation("app");
  const { productName } = useAuthConfig();
  const select = useLanguageSelect();
  return (
    <div className="grid min-h-dvh grid-cols-1 lg:grid-cols-2">
      <main className="flex flex-col px-6 pt-[max(2rem,env(safe-area-inset-top))] pb-[max(2rem,env(safe-area-inset-bottom))] sm:px-12">
        <div className="mx-auto w-full max-w-form">
          {/* The drawing is inset in its view box; the margin aligns it. */}
          <Wordmark name={productName} className="-ms-0.5" />
        </div>
        <div
          className={cx(
            "mx-auto flex w-full max-w-form flex-1 flex-col pb-12 [--note-space:calc(1lh+0.25rem)]",
            isTall ? "pt-[max(2rem,5svh)]" : "pt-[max(2rem,14svh)]",
          )}
        >
          {children}
        </div>
        <div className="mx-auto flex w-full max-w-form flex-wrap items-center justify-between gap-x-4 text-muted text-sm">
          <select
            {...select}
            className="-ms-1 field-sizing-content min-h-8 cursor-pointer rounded-control bg-page pe-1 hover:text-ink pointer-coarse:min-h-11"
          />
          <Link
            to="/accessibility"
            className="inline-flex min-h-8 items-center underline-offset-4 hover:text-ink hover:underline pointer-coarse:min-h-11"
          >
            {t("page.accessibility")}
          </Link>
        </div>
      </main>
      <div className="hidden p-4 ps-0 lg:block" aria-hidden="true">
        <div className="sticky top-4 h-[calc(100dvh-2rem)] overflow-hidden rounded-surface bg-sunken">
          <VoicesDrawing />
        </div>
      </div>
    </div>
  );
}
