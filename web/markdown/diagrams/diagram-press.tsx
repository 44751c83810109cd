import { useCallback, useRef, useState } from "react";
import type { DrawAnswer } from "../../sandbox/diagram-messages.ts";
import { useStore } from "../../store/use-store.ts";
import type { PictureRequest, PrintWork } from "../print-work.ts";
import { svgFile } from "./diagram-file.ts";
import { DiagramFrame, type DiagramHandle } from "./diagram-frame.tsx";

/** Title of the frame, which is hidden. */
const LANGUAGE = "Mermaid";

/**
 * Draws the requested diagrams in light colours, one after the other in one invisible frame, so that Mermaid is loaded
 * once and a chat with many diagrams needs the memory of one.
 */
export function DiagramPress({ work }: { work: PrintWork }) {
  const first = useStore(work.requests).at(0);
  const [last, setLast] = useState<PictureRequest>();
  // After a failure the frame may be stuck: the next diagram gets a new one.
  const [failures, setFailures] = useState(0);
  if (first && first !== last) setLast(first);
  const request = first ?? last;
  const frame = useRef<DiagramHandle>(null);
  const onAnswer = useCallback(
    (answer: DrawAnswer) => {
      if (!request) return;
      if ("failed" in answer) {
        if (answer.failed === "for-now") {
          work.noteMissing();
          setFailures((count) => count + 1);
        }
        request.resolve(null);
        return;
      }
      const take = async () => {
        const svg = await frame.current?.save();
        if (!svg) throw new Error("No drawing");
        return { address: URL.createObjectURL(await svgFile(svg)), drawn: answer.drawn };
      };
      take().then(request.resolve, () => {
        work.noteMissing();
        request.resolve(null);
      });
    },
    [request, work],
  );
  if (!request) return null;
  return (
    <div aria-hidden="true" className="invisible fixed top-0 left-0 h-px w-[42rem] overflow-hidden print:hidden">
      <DiagramFrame
        key={failures}
        ref={frame}
        source={request.source}
        title={LANGUAGE}
        isLight
        className="w-full"
        onAnswer={onAnswer}
      />
    </div>
  );
}
