import type { ReactNode } from "react";
import { PageTitle } from "../ui/components/page-title.tsx";
import { Mark } from "../ui/components/wordmark.tsx";

/** Page with one message and one action. */
export function MessagePage({ title, text, action }: { title: string; text: string; action: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-form flex-col items-start justify-center px-6 py-12">
      <Mark className="mb-8 size-8" />
      <PageTitle className="text-balance font-semibold text-2xl tracking-[-0.022em]">{title}</PageTitle>
      <p className="mt-2 mb-8 text-pretty break-words text-muted leading-text">{text}</p>
      {action}
    </main>
  );
}
