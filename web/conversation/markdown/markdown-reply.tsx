import { createContext, memo, type ReactNode, useContext, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import remarkBreaks from "remark-breaks";
import { Block, type BlockProps, type Components, defaultRemarkPlugins, Streamdown } from "streamdown";
import { PlainReply } from "../message/plain-reply.tsx";
import { BlockSplitter } from "./block-splitter.ts";
import { CodeBlock } from "./code-block.tsx";
import { readCodeFence } from "./code-fence.ts";
import { affordableBlocks, formedPart, withPlainEnd } from "./formed-part.ts";
import { remarkInlineHtml } from "./inline-html.ts";
import { isTooDeep, isTooMarked } from "./is-too-much.ts";
import { LongText } from "./long-text.tsx";
import { FootnotePrefix, replyComponents, SeamLine } from "./reply-components.tsx";
import { rehypeSafeMarkdown } from "./reply-schema.ts";
import { NO_SEAMS, remarkSeams, seamsOfBlock, visibleSeams } from "./seams.ts";
import { useMaths } from "./use-maths.ts";

const remarkPlugins = [...Object.values(defaultRemarkPlugins), remarkBreaks, remarkInlineHtml];
const rehypePlugins = [rehypeSafeMarkdown];

/** What the blocks of one reply must know of the whole. `blocks`: as they were cut last. */
type ReplyFrame = {
  splitter: BlockSplitter;
  seams: readonly number[];
  blocks: () => readonly string[];
  /** The place of the block that is shown as it came, where there is one. */
  plainFrom: () => number;
};

type Blocks = { now: string[]; plainFrom: number };

const FrameContext = createContext<ReplyFrame | null>(null);

/** A block that is one piece of code needs no reading as Markdown: however long it is, an update costs its last lines. */
const ReplyBlock = memo(function ReplyBlock(props: BlockProps) {
  const { content, index, isIncomplete, remarkPlugins: plugins = remarkPlugins } = props;
  const frame = useContext(FrameContext);
  const at = frame && frame.seams.length > 0 ? seamsOfBlock(frame.seams, frame.blocks(), index).join() : "";
  const withSeams = useMemo<typeof plugins>(
    () => (at === "" ? plugins : [[remarkSeams, { at: at.split(",").map(Number) }], ...plugins]),
    [plugins, at],
  );
  if (frame && index === frame.plainFrom()) return <LongText text={content} />;
  const fence = readCodeFence(content);
  if (fence) {
    const isClosed = fence.isClosed || !isIncomplete;
    return (
      <WithSeamLine block={<CodeBlock language={fence.language} code={fence.code} isClosed={isClosed} />} at={at} />
    );
  }
  const block = isTooMarked(content) ? (
    <WithSeamLine block={<LongText text={content} />} at={at} />
  ) : (
    <Block {...props} remarkPlugins={withSeams} />
  );
  return frame?.splitter.isContinued(content) ? <div className="reply-continued">{block}</div> : block;
});

function WithSeamLine({ block, at }: { block: ReactNode; at: string }) {
  return (
    <>
      {block}
      {at !== "" && <SeamLine />}
    </>
  );
}

let allComponents: Components | null = null;

function withFormulas(formulas: Components): Components {
  allComponents ??= { ...replyComponents, ...formulas };
  return allComponents;
}

type MarkdownReplyProps = { text: string; seams?: readonly number[]; isGrowing: boolean; prefix: string };

/**
 * A reply that is Markdown. One that is too deep for its readers, a block with too many marks, and what follows after very
 * much text, stay plain.
 */
export function MarkdownReply(props: MarkdownReplyProps) {
  return isTooDeep(props.text) ? <PlainReply text={props.text} /> : <FormedReply {...props} />;
}

function FormedReply({ text: whole, prefix, seams = NO_SEAMS, ...now }: MarkdownReplyProps) {
  const { t } = useTranslation("chat");
  const [text, rest] = formedPart(whole);
  // What changes at the end is painted between more urgent things.
  const isGrowing = useDeferredValue(now.isGrowing);
  const [splitter] = useState(() => new BlockSplitter());
  const maths = useMaths(text);
  const plugins = useMemo(() => (maths ? { math: maths.maths } : {}), [maths]);
  const components = maths ? withFormulas(maths.formulaComponents) : replyComponents;
  const [blocks] = useState<Blocks>({ now: [], plainFrom: 0 });
  const split = useMemo(
    () => (markdown: string) => {
      const cut = isGrowing ? splitter.split(markdown) : splitter.splitWhole(markdown);
      blocks.plainFrom = affordableBlocks(cut);
      blocks.now = blocks.plainFrom < cut.length ? withPlainEnd(cut, blocks.plainFrom) : cut;
      return blocks.now;
    },
    [splitter, blocks, isGrowing],
  );
  const shown = maths ? maths.dollarFormulas(text) : text;
  const places = visibleSeams(
    maths ? seams.map((seam) => maths.dollarFormulas(text.slice(0, seam)).length) : seams,
    shown,
  );
  const frame = useFrame(splitter, blocks, places);
  // Footnotes of several replies stand on one page: their ids must differ.
  const remarkRehypeOptions = useMemo(
    () => ({
      clobberPrefix: `${prefix}-`,
      footnoteLabel: t("footnotes.label"),
      footnoteBackLabel: (reference: number, again: number) =>
        t("footnotes.back", { name: again > 1 ? `${reference + 1}-${again}` : reference + 1 }),
    }),
    [prefix, t],
  );
  return (
    <FrameContext value={frame}>
      <FootnotePrefix value={prefix}>
        <Streamdown
          className="reply"
          components={components}
          remarkPlugins={remarkPlugins}
          rehypePlugins={rehypePlugins}
          remarkRehypeOptions={remarkRehypeOptions}
          parseMarkdownIntoBlocksFn={split}
          BlockComponent={ReplyBlock}
          plugins={plugins}
          parseIncompleteMarkdown={isGrowing}
          isAnimating={isGrowing}
          controls={false}
        >
          {shown}
        </Streamdown>
        {rest !== "" && <LongText text={rest} />}
      </FootnotePrefix>
    </FrameContext>
  );
}

/** Stays the same until a seam is added, so that no block is painted anew for it. */
function useFrame(splitter: BlockSplitter, blocks: Blocks, places: readonly number[]): ReplyFrame {
  const at = places.join();
  return useMemo(
    () => ({
      splitter,
      blocks: () => blocks.now,
      plainFrom: () => blocks.plainFrom,
      seams: at === "" ? [] : at.split(",").map(Number),
    }),
    [splitter, blocks, at],
  );
}
