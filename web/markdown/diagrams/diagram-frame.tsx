import { useCallback, useEffect, useRef, useState } from "react";
import { SECOND } from "#contract/limits.ts";
import { DIAGRAM_FRAME, type DrawAnswer, type DrawRequest, readAnswer } from "../../sandbox/diagram-messages.ts";
import { useDiagramTheme } from "./use-diagram-theme.ts";

/** Timeout for loading the frame, which may be slow on a slow network. */
const LOADED_WITHIN_MS = 60 * SECOND;
/** Timeout for drawing once the frame is loaded. */
const DRAWN_WITHIN_MS = 15 * SECOND;

type DiagramFrameProps = {
  source: string;
  title: string;
  isWhole?: boolean;
  className: string;
  height?: number | undefined;
  onAnswer: (answer: DrawAnswer) => void;
};

/**
 * Sandboxed frame with an opaque origin that draws a diagram in the page's colours. It reports the result of each
 * drawing through a private message port.
 */
export function DiagramFrame({ source, title, isWhole = false, className, height, onAnswer }: DiagramFrameProps) {
  const look = useDiagramTheme();
  const frame = useRef<HTMLIFrameElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [port, setPort] = useState<MessagePort | null>(null);
  const onReady = useCallback(() => {
    const { port1, port2 } = new MessageChannel();
    // An opaque origin cannot be a target origin; the frame's window is the recipient.
    frame.current?.contentWindow?.postMessage("port", "*", [port2]);
    setPort(port1);
  }, []);
  useEffect(() => () => port?.close(), [port]);
  useEffect(() => {
    const giveUp = () => onAnswer({ failed: "for-now" });
    timer.current = setTimeout(giveUp, port ? DRAWN_WITHIN_MS : LOADED_WITHIN_MS);
    if (port) {
      port.onmessage = ({ data }: MessageEvent<unknown>) => {
        const answer = readAnswer(data);
        if (!answer) return;
        clearTimeout(timer.current);
        onAnswer(answer);
      };
      if (look) port.postMessage({ source, look, isWhole } satisfies DrawRequest);
    }
    return () => clearTimeout(timer.current);
  }, [port, source, look, isWhole, onAnswer]);
  return (
    <iframe
      ref={frame}
      title={title}
      src={DIAGRAM_FRAME}
      sandbox="allow-scripts"
      height={height}
      tabIndex={isWhole ? 0 : -1}
      className={className}
      onLoad={onReady}
    />
  );
}
