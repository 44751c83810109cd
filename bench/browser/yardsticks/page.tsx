/**
 * Renders the text of `say` with one of three renderers that many products use (`with`), each as documented. With `box`
 * the page has a plain text area.
 */
import DOMPurify from "dompurify";
import { marked } from "marked";
import { type ReactNode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { Streamdown } from "streamdown";

type Chunk = { choices: { delta: { content?: string } }[] };

const wanted = new URLSearchParams(location.search);
const container = document.getElementById("reply");
const scroller = document.getElementById("scroller");

async function read(onToken: (token: string) => void): Promise<void> {
  const response = await fetch(`/words?say=${encodeURIComponent(wanted.get("say") ?? "")}`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let open = "";
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    const lines = (open + piece.value).split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const { choices }: Chunk = JSON.parse(line.slice(6));
      onToken(choices[0]?.delta.content ?? "");
    }
  }
  // Reports the end after the last frame is painted.
  requestAnimationFrame(() => setTimeout(() => console.log("all read")));
}

/** Renders in each frame in which text has arrived. */
function paintByMarked(on: HTMLElement): void {
  let text = "";
  let isDue = false;
  const paint = () => {
    isDue = false;
    on.innerHTML = DOMPurify.sanitize(marked.parse(text, { async: false }));
  };
  void read((token) => {
    text += token;
    if (!isDue) requestAnimationFrame(paint);
    isDue = true;
  });
}

/** Renders with each word, except those that React batches. */
function Growing({ show }: { show: (text: string) => ReactNode }) {
  const [text, setText] = useState("");
  useEffect(() => {
    void read((token) => setText((before) => before + token));
  }, []);
  return show(text);
}

const shows: Record<string, (text: string) => ReactNode> = {
  "react-markdown": (text) => <ReactMarkdown remarkPlugins={[remarkGfm]}>{text}</ReactMarkdown>,
  Streamdown: (text) => <Streamdown isAnimating>{text}</Streamdown>,
};

if (container && scroller) {
  new ResizeObserver(() => {
    scroller.scrollTop = scroller.scrollHeight;
  }).observe(container);
  if (wanted.has("box")) document.body.append(document.createElement("textarea"));
  const show = shows[wanted.get("with") ?? ""];
  if (show) createRoot(container).render(<Growing show={show} />);
  else if (wanted.has("say")) paintByMarked(container);
}
