import type { ReactNode } from "react";
import { PageTitle } from "../ui/components/page-title.tsx";
import { Mark } from "../ui/components/wordmark.tsx";

type MessagePageProps = { picture?: ReactNode; title: string; text: string; action: ReactNode };

/** Page with one message and one action. */
export function MessagePage({ picture = <Mark className="mb-8 size-8" />, title, text, action }: MessagePageProps) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-form flex-col items-start justify-center px-6 py-12">
      {picture}
      <PageTitle className="text-balance font-semibold text-2xl tracking-[-0.022em]">{title}</PageTitle>
      <p className="mt-2 mb-8 text-pretty break-words text-muted leading-text">{text}</p>
      {action}
    </main>
  );
}
