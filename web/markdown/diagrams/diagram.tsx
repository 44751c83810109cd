/** Mermaid diagrams. Loaded when the first complete diagram occurs; the frame loads Mermaid itself. */

import { Code, Maximize2, Workflow } from "lucide-react";
import { useCallback, useContext, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ReactReduxContext } from "react-redux";
import type { DrawAnswer } from "../../sandbox/diagram-messages.ts";
import { useNear } from "../../ui/use-near.ts";
import { BarButton, CodeBox, CodeFigure, CopyCode } from "../code-figure.tsx";
import { DrawingSpace } from "./awaited-diagram.tsx";
import { DiagramDialog } from "./diagram-dialog.tsx";
import { DiagramFailure } from "./diagram-failure.tsx";
import { DiagramFrame } from "./diagram-frame.tsx";
import { expectedHeight, keepHeight } from "./diagram-heights.ts";
import { LONGEST_DIAGRAM } from "./diagram-limits.ts";
import { drawnDiagrams } from "./drawn-diagrams.ts";
import { useDiagramName } from "./use-diagram-name.ts";

/** A diagram with a button that shows its source. If drawing fails, the source is shown. */
export function Diagram({ source }: { source: string }) {
  const { t } = useTranslation("replies");
  const figure = useRef<HTMLElement>(null);
  const isNear = useNear(figure);
  const { drawn, expected, failed, retry, onAnswer } = useDrawing(source);
  const [isSource, setSource] = useState(false);
  const [isLarge, setLarge] = useState(false);
  const name = useDiagramName(drawn);
  const again = () => {
    retry();
    // The retry button is removed: move the focus first.
    figure.current?.querySelector("button")?.focus();
  };
  const isTooLong = source.length > LONGEST_DIAGRAM;
  const isDrawable = !isTooLong && failed === null;
  const isShown = isDrawable && !isSource;
  const isDrawn = isShown && drawn !== undefined;
  return (
    <CodeFigure
      ref={figure}
      name={isDrawable ? name.kind : "Mermaid"}
      className="reply-diagram"
      data-language="mermaid"
      data-drawn={isDrawn}
      bar={
        <>
          {isDrawable && (
            <BarButton
              label={isSource ? t("diagram.view") : t("diagram.source")}
              icon={isSource ? <Workflow aria-hidden="true" /> : <Code aria-hidden="true" />}
              onClick={() => setSource(!isSource)}
            />
          )}
          {isDrawable && drawn !== undefined && (
            <BarButton
              label={t("diagram.enlarge")}
              icon={<Maximize2 aria-hidden="true" />}
              onClick={() => setLarge(true)}
            />
          )}
          <CopyCode code={source} label={t("diagram.copy")} />
        </>
      }
    >
      {!isDrawable && (
        <DiagramFailure
          text={t(isTooLong ? "diagram.long" : "diagram.failed")}
          onAgain={failed === "for-now" ? again : undefined}
        />
      )}
      {!isShown && <CodeBox>{source}</CodeBox>}
      {isDrawable && isNear && (
        <DiagramFrame
          source={source}
          title={name.whole}
          className={isDrawn ? "block w-full" : "invisible absolute inset-x-0 top-0 w-full"}
          height={drawn?.height}
          onAnswer={onAnswer}
        />
      )}
      {isShown && !(isDrawn && isNear) && (
        <DrawingSpace source={source} height={drawn?.height ?? expected} isAwaited={!isDrawn} />
      )}
      {isLarge && drawn && <DiagramDialog source={source} name={name} onClose={() => setLarge(false)} />}
    </CodeFigure>
  );
}

/** State of the drawing of a diagram, which begins with the one that this page drew before. */
function useDrawing(source: string) {
  const redux = useContext(ReactReduxContext);
  const [known] = useState(() => drawnDiagrams(redux?.store ?? null));
  const [drawn, setDrawn] = useState(() => known.find(source));
  const [expected] = useState(() => expectedHeight(source));
  const [failed, setFailed] = useState<"for-good" | "for-now" | null>(null);
  const onAnswer = useCallback(
    (answer: DrawAnswer) => {
      if ("failed" in answer) {
        setFailed(answer.failed);
        return;
      }
      known.keep(source, answer.drawn);
      keepHeight(source, answer.drawn.height);
      setDrawn(answer.drawn);
    },
    [known, source],
  );
  return { drawn, expected, failed, retry: () => setFailed(null), onAnswer };
}
