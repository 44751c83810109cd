import { useContext, useMemo } from "react";
import { Streamdown, type StreamdownProps } from "streamdown";
import { rehypeNotesAlone } from "./blocks/footnote-marks.ts";
import { isTooMarked } from "./costly-markup.ts";
import { LongText } from "./plain/long-text.tsx";
import { ReplyContext } from "./reply-components.tsx";

const asOne = (markdown: string) => [markdown];

type Parts = "remarkPlugins" | "rehypePlugins" | "remarkRehypeOptions" | "components" | "plugins";
type ReplyNotesProps = Pick<StreamdownProps, Parts> & { children: string };

/** The footnotes of a reply, rendered below it. */
export function ReplyNotes({ children, rehypePlugins = [], ...rest }: ReplyNotesProps) {
  const { prefix } = useContext(ReplyContext);
  // The generated label is an h2 but is a top-level heading of the answer.
  const here = useMemo(() => ({ prefix, firstHeading: 2 }), [prefix]);
  const notesAlone = useMemo(() => [...rehypePlugins, rehypeNotesAlone], [rehypePlugins]);
  if (isTooMarked(children)) return <LongText text={children} />;
  return (
    <ReplyContext value={here}>
      <Streamdown
        className="reply"
        rehypePlugins={notesAlone}
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
