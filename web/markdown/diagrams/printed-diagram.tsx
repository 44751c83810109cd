/** Diagrams on paper. Loaded when the first one is printed. */

import { useContext, useEffect, useState } from "react";
import { CodeBox, CodeFigure } from "../code-figure.tsx";
import { type DiagramPicture, PrintContext, usePrintHold } from "../print-work.ts";
import { LONGEST_DIAGRAM } from "./diagram-limits.ts";
import { useDiagramName } from "./use-diagram-name.ts";

/** A diagram as a picture, which a browser neither cuts between two pages nor leaves out. Undrawable ones are source. */
export function PrintedDiagram({ source }: { source: string }) {
  const work = useContext(PrintContext);
  const isTooLong = source.length > LONGEST_DIAGRAM;
  const [picture, setPicture] = useState<DiagramPicture | null | undefined>(isTooLong ? null : undefined);
  const [isDecoded, setDecoded] = useState(false);
  const name = useDiagramName(picture?.drawn);
  useEffect(() => {
    if (isTooLong) return;
    let isMounted = true;
    void work?.picture(source).then((drawn) => isMounted && setPicture(drawn));
    return () => {
      isMounted = false;
    };
  }, [work, source, isTooLong]);
  usePrintHold(picture === undefined || (picture !== null && !isDecoded));
  if (!picture) {
    return (
      <CodeFigure name="Mermaid" className="reply-diagram" data-language="mermaid" data-wrapped bar={null}>
        <CodeBox>{source}</CodeBox>
      </CodeFigure>
    );
  }
  return (
    <figure className="reply-picture">
      <img
        src={picture.address}
        alt={name.whole}
        onLoad={() => setDecoded(true)}
        onError={() => {
          work?.noteMissing();
          setPicture(null);
        }}
      />
    </figure>
  );
}
