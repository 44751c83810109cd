import { type ComponentType, lazy, Suspense, useState } from "react";
import { log } from "../../app/log.ts";
import { ReplyBoundary } from "../message/reply-boundary.tsx";

type Tools = typeof import("./tools.ts");

let loaded: Tools | undefined;

/** What can be done with the branches of a conversation is loaded right behind its words. */
export async function loadTools(): Promise<Tools> {
  loaded ??= await import("./tools.ts");
  return loaded;
}

function later<Props extends object>(pick: (tools: Tools) => ComponentType<Props>): ComponentType<Props> {
  const PartLater = lazy(async () => {
    try {
      return { default: pick(await loadTools()) };
    } catch (cause) {
      // The words are what counts: they stand without what could be done with them.
      log.warn("The tools of the messages could not be loaded", cause);
      return { default: () => null };
    }
  });
  return (props) => {
    // Where they are there already, nothing else is painted first.
    const [Part] = useState(() => (loaded ? pick(loaded) : PartLater));
    return (
      <ReplyBoundary fallback={null}>
        <Suspense fallback={null}>
          <Part {...props} />
        </Suspense>
      </ReplyBoundary>
    );
  };
}

export const AnswerTools = later((tools) => tools.AnswerTools);
export const EditBox = later((tools) => tools.EditBox);
export const EditButton = later((tools) => tools.EditButton);
export const QuoteButton = later((tools) => tools.QuoteButton);
export const VersionPager = later((tools) => tools.VersionPager);
