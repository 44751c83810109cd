import { useTranslation } from "react-i18next";
import { Skeleton } from "../ui/components/skeleton.tsx";

/** Skeleton of a conversation while it is loading. `title`: null if the page has a heading already. */
export function ConversationLoading({ title }: { title: string | null }) {
  const { t } = useTranslation("chat");
  return (
    <div className="mx-auto flex w-full max-w-column flex-1 flex-col gap-8 px-4 pt-12 sm:px-8">
      {title !== null && <h1 className="sr-only">{title}</h1>}
      <p role="status" className="sr-only">
        {t("messages.loading")}
      </p>
      {[0, 1].map((turn) => (
        <div key={turn} className="flex flex-col gap-6">
          <Skeleton className="h-11 w-2/5 self-end" />
          <div className="flex flex-col gap-3">
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-11/12" />
            <Skeleton className="h-4 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
