import type { ReactNode } from "react";
import { PageTitle } from "../ui/components/page-title.tsx";

type PageHeadingProps = {
  id?: string;
  title: string;
  children?: ReactNode;
};

/** Title with a sentence under it. */
export function PageHeading({ id, title, children }: PageHeadingProps) {
  return (
    <header className="mb-8">
      <PageTitle {...(id ? { id } : {})} className="text-balance font-semibold text-2xl tracking-[-0.022em]">
        {title}
      </PageTitle>
      {children && <p className="mt-2 text-pretty text-muted leading-text">{children}</p>}
    </header>
  );
}
