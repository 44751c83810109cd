import { Hash, WrapText } from "lucide-react";
import { memo, startTransition, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import replies from "../../locales/en/replies.json";
import { registerTexts } from "../../locales/i18n.ts";
import { log } from "../../log.ts";
import { StoredText } from "../../storage/stored-text.ts";
import { useStore } from "../../store/use-store.ts";
import { subscribeAppearance } from "../../ui/appearance/appearance.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { BarButton, CodeBox, CodeFigure, CopyCode } from "../code-figure.tsx";
import { AwaitedDiagram } from "../diagrams/awaited-diagram.tsx";
import { LONGEST_DIAGRAM } from "../diagrams/diagram-limits.ts";
import { mathsModule } from "../maths/use-maths.ts";
import { useIsPrinted, usePrintHold } from "../print-work.ts";
import type { CodeToken } from "./highlight.ts";
import { languageName } from "./language-names.ts";

registerTexts("replies", replies);

const stored = new StoredText("parley.line-numbers", "How code is shown");

/** Applies to all code blocks in all tabs of this browser. */
const showLineNumbers = (isWanted: boolean): void => stored.set(isWanted ? "shown" : null);

/** Whether lines of code are numbered. */
const useLineNumbers = (): boolean => useStore(stored) !== null;

/** Lines rendered as one chunk: while code grows, only the last chunk changes. */
const CHUNK_LINES = 50;

const highlightModule = lazyModule(() => import("./highlight.ts"));
const diagramModule = lazyModule(() => import("../diagrams/diagram.tsx"));
const printedDiagramModule = lazyModule(() => import("../diagrams/printed-diagram.tsx"));

type CodeBlockProps = { language: string; code: string; isClosed: boolean };

/** A code block with its toolbar; Mermaid code is drawn as a diagram once its source is complete. */
export const CodeBlock = memo(function CodeBlock({ language, code, isClosed }: CodeBlockProps) {
  const isPrinted = useIsPrinted();
  if (language === "mermaid" && isClosed) {
    return isPrinted ? <PrintedDiagramLater source={code} /> : <DiagramLater source={code} />;
  }
  if (language === "math" && isClosed) return <FormulaLater source={code} />;
  return <PlainCode language={language} code={code} isClosed={isClosed} />;
});

/** Code of GitHub's language for formulas. */
function FormulaLater({ source }: { source: string }) {
  const maths = useLazyModule(mathsModule);
  const isMissing = useStore({ subscribe: mathsModule.subscribe, get: mathsModule.isMissing });
  usePrintHold(!maths && !isMissing, isMissing);
  return maths ? (
    <maths.DisplayFormula source={source} />
  ) : (
    <PlainCode language="math" code={source} isClosed={false} />
  );
}

function DiagramLater({ source }: { source: string }) {
  const part = useLazyModule(diagramModule);
  const isMissing = useStore({ subscribe: diagramModule.subscribe, get: diagramModule.isMissing });
  if (part) return <part.Diagram key={source} source={source} />;
  if (isMissing || source.length > LONGEST_DIAGRAM) {
    return <PlainCode language="mermaid" code={source} isClosed={false} />;
  }
  return <AwaitedDiagram source={source} />;
}

function PrintedDiagramLater({ source }: { source: string }) {
  const part = useLazyModule(printedDiagramModule);
  const isMissing = useStore({ subscribe: printedDiagramModule.subscribe, get: printedDiagramModule.isMissing });
  usePrintHold(!part && !isMissing, isMissing);
  return part ? (
    <part.PrintedDiagram source={source} />
  ) : (
    <PlainCode language="mermaid" code={source} isClosed={false} />
  );
}

/** Code below a toolbar (language, wrapping, line numbers, copy). Highlighted once it is complete. */
function PlainCode({ language, code, isClosed }: CodeBlockProps) {
  const { t } = useTranslation(["chat", "replies"]);
  const [chosen, setWrapped] = useState<boolean | null>(null);
  const isUsuallyWrapped = useStore({ subscribe: subscribeAppearance, get: wrapsCode });
  const isPrinted = useIsPrinted();
  const isWrapped = isPrinted || (chosen ?? isUsuallyWrapped);
  const isNumbered = useLineNumbers();
  const lines = useColouredLines(language, code, isClosed);
  return (
    <CodeFigure
      name={languageName(language) || t("code.plain")}
      data-language={language}
      data-wrapped={isWrapped}
      data-numbered={isNumbered}
      bar={
        !isPrinted && (
          <>
            <BarButton
              label={t("replies:numbers")}
              icon={<Hash aria-hidden="true" />}
              aria-pressed={isNumbered}
              isQuiet
              onClick={() => showLineNumbers(!isNumbered)}
            />
            <BarButton
              label={t("code.wrap")}
              icon={<WrapText aria-hidden="true" />}
              aria-pressed={isWrapped}
              isQuiet
              onClick={() => setWrapped(!isWrapped)}
            />
            <CopyCode code={code} />
          </>
        )
      }
    >
      <CodeBox>{lines ? <ColouredLines lines={lines} /> : <PlainLines code={code} isNumbered={isNumbered} />}</CodeBox>
    </CodeFigure>
  );
}

const wrapsCode = () => document.documentElement.dataset.code === "wrap";

function useColouredLines(language: string, code: string, isClosed: boolean): CodeToken[][] | null {
  const [coloured, setColoured] = useState<{ code: string; lines: CodeToken[][] | null } | null>(null);
  const isWanted = isClosed && language !== "";
  const isMissing = useStore({ subscribe: highlightModule.subscribe, get: highlightModule.isMissing });
  usePrintHold(isWanted && coloured?.code !== code && !isMissing, isWanted && isMissing);
  const highlight = useLazyModule(highlightModule, isWanted)?.highlight;
  useEffect(() => {
    if (!highlight) return;
    const leaving = new AbortController();
    highlight(code, language, leaving.signal)
      .catch((cause: unknown) => {
        if (!leaving.signal.aborted) log.warn("Code stays in one colour", cause);
        return null;
      })
      .then((lines) => !leaving.signal.aborted && startTransition(() => setColoured({ code, lines })));
    return () => leaving.abort();
  }, [language, code, highlight]);
  return coloured?.code === code ? coloured.lines : null;
}

function PlainLines({ code, isNumbered }: { code: string; isNumbered: boolean }) {
  const chunks = useMemo(() => {
    const lines = code.split("\n");
    const count = Math.ceil(lines.length / CHUNK_LINES);
    return Array.from({ length: count }, (_, i) => {
      const chunk = lines.slice(i * CHUNK_LINES, (i + 1) * CHUNK_LINES).join("\n");
      return i === count - 1 ? chunk : `${chunk}\n`;
    });
  }, [code]);
  // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is identified by its index
  return chunks.map((chunk, index) => <PlainChunk key={index} text={chunk} isNumbered={isNumbered} />);
}

/** A chunk in a block element of its own, so that a new chunk causes no layout of the earlier ones. */
const PlainChunk = memo(function PlainChunk({ text, isNumbered }: { text: string; isNumbered: boolean }) {
  if (!isNumbered) return <span className="block">{text}</span>;
  const lines = (text.match(/[^\n]*\n|[^\n]+$/g) ?? [""]).map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its index
    <span key={row} className="reply-line">
      {line}
    </span>
  ));
  return <span className="block">{lines}</span>;
});

const ColouredLines = memo(function ColouredLines({ lines }: { lines: CodeToken[][] }) {
  const starts = Array.from({ length: Math.ceil(lines.length / CHUNK_LINES) }, (_, i) => i * CHUNK_LINES);
  return starts.map((start) => <ColouredChunk key={start} {...{ lines, start }} />);
});

/** A component of its own, so that React can interrupt the rendering of long code between chunks. */
function ColouredChunk({ lines, start }: { lines: CodeToken[][]; start: number }) {
  const chunk = lines.slice(start, start + CHUNK_LINES).map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its index
    <span key={row} className="reply-line">
      {line.map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a token is identified by its index
        <span key={index} style={{ color: token.color }}>
          {token.text}
        </span>
      ))}
      {start + row < lines.length - 1 && "\n"}
    </span>
  ));
  return <span className="block">{chunk}</span>;
}
