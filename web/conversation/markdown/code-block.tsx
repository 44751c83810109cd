import { Check, Copy, WrapText } from "lucide-react";
import { memo, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { log } from "../../app/log.ts";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { useCopy } from "../message/use-copy.ts";
import type { CodeToken } from "./highlight.ts";

/** Lines of code that are put on the page together: while code grows, only the last of them change. */
const CHUNK_LINES = 50;

type CodeBlockProps = { language: string; code: string; isClosed: boolean };

/** Code on a surface of its own, with its language, wrapping and copying above. Coloured once it is complete. */
export const CodeBlock = memo(function CodeBlock({ language, code, isClosed }: CodeBlockProps) {
  const { t } = useTranslation("chat");
  const [isWrapped, setWrapped] = useState(false);
  const { isCopied, copy } = useCopy();
  const lines = useColouredLines(language, code, isClosed);
  const name = language || t("code.plain");
  return (
    <figure className="reply-code" data-wrapped={isWrapped}>
      <figcaption className="flex items-center gap-1 border-hairline border-b py-0.5 ps-4 pe-1.5 text-muted text-xs">
        <span className="min-w-0 flex-1 truncate font-mono">{name}</span>
        <IconButton
          label={t("code.wrap")}
          icon={<WrapText aria-hidden="true" />}
          size="small"
          aria-pressed={isWrapped}
          className={cx("[&_svg]:size-4", isWrapped && "text-accent")}
          onClick={() => setWrapped(!isWrapped)}
        />
        <IconButton
          label={isCopied ? t("code.copied") : t("code.copy")}
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          size="small"
          className="[&_svg]:size-4"
          onClick={() => copy(code)}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{lines ? <ColouredLines lines={lines} /> : <PlainLines code={code} />}</code>
      </pre>
    </figure>
  );
});

function useColouredLines(language: string, code: string, isClosed: boolean): CodeToken[][] | null {
  const [coloured, setColoured] = useState<{ code: string; lines: CodeToken[][] } | null>(null);
  useEffect(() => {
    if (!isClosed || language === "") return;
    const leaving = new AbortController();
    import("./highlight.ts")
      .then(({ highlight }) => highlight(code, language, leaving.signal))
      .then((lines) => lines && !leaving.signal.aborted && setColoured({ code, lines }))
      .catch((cause: unknown) => {
        if (!leaving.signal.aborted) log.warn("Code stays in one colour", cause);
      });
    return () => leaving.abort();
  }, [language, code, isClosed]);
  return coloured?.code === code ? coloured.lines : null;
}

function PlainLines({ code }: { code: string }) {
  const chunks = useMemo(() => {
    const lines = code.split("\n");
    const count = Math.ceil(lines.length / CHUNK_LINES);
    return Array.from({ length: count }, (_, i) => {
      const chunk = lines.slice(i * CHUNK_LINES, (i + 1) * CHUNK_LINES).join("\n");
      return i === count - 1 ? chunk : `${chunk}\n`;
    });
  }, [code]);
  // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place
  return chunks.map((chunk, place) => <PlainChunk key={place} text={chunk} />);
}

const PlainChunk = memo(function PlainChunk({ text }: { text: string }) {
  return <span>{text}</span>;
});

const ColouredLines = memo(function ColouredLines({ lines }: { lines: CodeToken[][] }) {
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <span key={row}>
      {line.map((token, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
        <span key={place} style={{ color: token.color }}>
          {token.text}
        </span>
      ))}
      {row < lines.length - 1 && "\n"}
    </span>
  ));
});
