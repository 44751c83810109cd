import { useTranslation } from "react-i18next";
import { useDelayed } from "../../ui/components/use-delayed.ts";
import { CodeBox, CodeFigure, CopyCode } from "../code-figure.tsx";
import { expectedHeight } from "./diagram-heights.ts";

/** Replaces a diagram while the code that draws it is loading. */
export function AwaitedDiagram({ source }: { source: string }) {
  const { t } = useTranslation("replies");
  return (
    <CodeFigure name="Mermaid" data-language="mermaid" bar={<CopyCode code={source} label={t("diagram.copy")} />}>
      <DrawingSpace source={source} height={expectedHeight(source)} isAwaited />
    </CodeFigure>
  );
}

const SHOWN_AFTER_MS = 1000;

/** The space of a drawing, so that the text below stays where it is. `height`: in CSS pixels. */
export function DrawingSpace({ source, height, isAwaited }: { source: string; height: number; isAwaited: boolean }) {
  const { t } = useTranslation("replies");
  const isLate = useDelayed(SHOWN_AFTER_MS);
  return (
    <>
      <div
        className="flex w-full items-center justify-center font-sans text-muted text-sm print:hidden"
        style={{ height }}
      >
        {isAwaited && isLate && t("diagram.drawing")}
      </div>
      {/* The browser's own print has no time to draw diagrams that are far from the screen. */}
      <div aria-hidden="true" className="hidden print:block">
        <CodeBox>{source}</CodeBox>
      </div>
    </>
  );
}
