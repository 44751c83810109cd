/**
 * Stub that replaces the package mdast-util-to-markdown (an alias in vite.config.ts), which remark-gfm imports for trees
 * that are written as Markdown again. Replies are only parsed: its handlers are never called.
 */
export const defaultHandlers = {};
