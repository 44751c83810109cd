import { useContext, useMemo } from "react";
import { Streamdown, type StreamdownProps } from "streamdown";
import { rehypeNotesAlone } from "./blocks/footnote-marks.ts";
import { isTooMarked } from "./costly-markup.ts";
import { LongText } from "./long-text.tsx";
import { ReplyContext } from "./reply-components.tsx";
import { rehypeSafeMarkdown } from "./reply-schema.ts";

const rehypePlugins = [rehypeSafeMarkdown, rehypeNotesAlone];
const asOne = (markdown: string) => [markdown];

type Parts = "remarkPlugins" | "remarkRehypeOptions" | "components" | "plugins";
type ReplyNotesProps = Pick<StreamdownProps, Parts> & { children: string };

/** The footnotes of a reply, rendered below it. */
export function ReplyNotes({ children, ...rest }: ReplyNotesProps) {
  const { prefix } = useContext(ReplyContext);
  // The generated label is an h2 but is a top-level heading of the answer.
  const here = useMemo(() => ({ prefix, firstHeading: 2 }), [prefix]);
  if (isTooMarked(children)) return <LongText text={children} />;
  return (
    <ReplyContext value={here}>
      <Streamdown
        className="reply"
        rehypePlugins={rehypePlugins}
        parseMarkdownIntoBlocksFn={asOne}
        parseIncompleteMarkdown={false}
        controls={false}
        {...rest}
      >
        {children}
      </Streamdown>
    </ReplyContext>
  );
}
