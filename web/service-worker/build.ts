/** Paths of the files of one build. */
export type Build = {
  /** Unique for each build. */
  id: string;
  /** The entry script of the build's document. */
  entry: string;
  /** Files that the screens need first: cached completely or not at all. */
  shell: readonly string[];
  /** Other files of the document, whose names do not change between builds. */
  beside: readonly string[];
  /** Our own lazy chunks: cached if possible. */
  parts: readonly string[];
};
