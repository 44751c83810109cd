import { type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from "react";
import { SECOND } from "#contract/limits.ts";
import {
  DIAGRAM_FRAME,
  type DiagramView,
  type DrawAnswer,
  type FrameRequest,
  readAnswer,
  readSaved,
} from "../../sandbox/diagram-messages.ts";
import { useDiagramTheme } from "./use-diagram-theme.ts";

/** Timeout for loading the frame, which may be slow on a slow network. */
const LOADED_WITHIN_MS = 60 * SECOND;
/** Timeout for drawing once the frame is loaded. */
const DRAWN_WITHIN_MS = 15 * SECOND;

/** `save`: returns the drawing as the untrusted text of an SVG file; null if there is none in time. */
export type DiagramHandle = { save: () => Promise<string | null> };

type DiagramFrameProps = {
  source: string;
  title: string;
  isWhole?: boolean;
  /** Draws in the colours of the light theme, for paper. */
  isLight?: boolean;
  /** Of a whole diagram, which is invisible before it has one. */
  view?: DiagramView | null;
  ref?: Ref<DiagramHandle>;
  className: string;
  height?: number | undefined;
  onAnswer: (answer: DrawAnswer) => void;
};

/**
 * Sandboxed frame with an opaque origin that draws a diagram in the page's colours. It reports the result of each
 * drawing through a private message port.
 */
export function DiagramFrame({ source, title, isWhole = false, view = null, ref, ...rest }: DiagramFrameProps) {
  const { className, height, onAnswer, isLight = false } = rest;
  const theme = useDiagramTheme(isLight);
  const frame = useRef<HTMLIFrameElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const saving = useRef<((svg: string | null) => void) | null>(null);
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
        const saved = readSaved(data);
        if (saved !== undefined) saving.current?.(saved);
        const answer = readAnswer(data);
        if (!answer) return;
        clearTimeout(timer.current);
        onAnswer(answer);
      };
      if (theme) port.postMessage({ source, look: theme, isWhole } satisfies FrameRequest);
    }
    return () => clearTimeout(timer.current);
  }, [port, source, theme, isWhole, onAnswer]);
  useEffect(() => {
    if (view) port?.postMessage({ view } satisfies FrameRequest);
  }, [port, view]);
  useImperativeHandle(ref, () => ({
    save: () => {
      const { promise, resolve } = Promise.withResolvers<string | null>();
      if (!port) return Promise.resolve(null);
      saving.current = resolve;
      setTimeout(() => resolve(null), DRAWN_WITHIN_MS);
      port.postMessage({ save: true } satisfies FrameRequest);
      return promise;
    },
  }));
  return (
    <iframe
      ref={frame}
      title={title}
      src={DIAGRAM_FRAME}
      sandbox="allow-scripts"
      height={height}
      tabIndex={-1}
      className={className}
      onLoad={onReady}
    />
  );
}
