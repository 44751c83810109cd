import type { ComponentType } from "react";
import { FallbackBoundary } from "../../ui/components/fallback-boundary.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";

type Tools = typeof import("./tools.ts");

/** Lazy module of the branch tools, loaded after the conversation's text, which is shown without it. */
export const branchToolsModule = lazyModule(() => import("./tools.ts"), "after-chat");

function tool<Props extends object>(pick: (tools: Tools) => ComponentType<Props>): ComponentType<Props> {
  return (props) => {
    const tools = useLazyModule(branchToolsModule);
    if (!tools) return null;
    const Tool = pick(tools);
    return (
      <FallbackBoundary fallback={null}>
        <Tool {...props} />
      </FallbackBoundary>
    );
  };
}

export const LazyAnswerDownload = tool((tools) => tools.AnswerDownload);
export const LazyAnswerTools = tool((tools) => tools.AnswerTools);
export const LazyEditBox = tool((tools) => tools.EditBox);
export const LazyEditButton = tool((tools) => tools.EditButton);
export const LazyQuoteButton = tool((tools) => tools.QuoteButton);
export const LazyRetryMenu = tool((tools) => tools.RetryMenu);
export const LazyVersionPager = tool((tools) => tools.VersionPager);
