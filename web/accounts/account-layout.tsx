import type { ReactNode } from "react";
import { Wordmark } from "../ui/wordmark.tsx";
import { useAuthConfig } from "./auth-config.ts";
import { VoicesDrawing } from "./voices-drawing.tsx";

/** One quiet column; on wide screens a drawing in the free half. */
export function AccountLayout({ children }: { children: ReactNode }) {
  const { productName } = useAuthConfig();
  return (
    <div className="grid min-h-dvh grid-cols-1 lg:grid-cols-2">
      <main className="flex flex-col px-6 py-8 sm:px-12">
        <div className="mx-auto w-full max-w-form">
          {/* Its drawing begins a little inside its box. */}
          <Wordmark name={productName} className="-ms-0.5" />
        </div>
        <div className="mx-auto flex w-full max-w-form flex-1 flex-col justify-center py-12">{children}</div>
      </main>
      <div className="hidden p-4 ps-0 lg:block" aria-hidden="true">
        <div className="sticky top-4 h-[calc(100dvh-2rem)] overflow-hidden rounded-surface bg-sunken">
          <VoicesDrawing />
        </div>
      </div>
    </div>
  );
}
