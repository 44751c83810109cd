/** The paths of what one build is made of. */
export type Build = {
  /** Another one for any other build. */
  id: string;
  /** The script that the document of this build begins with. */
  entry: string;
  /** What the screens begin with: all of it is kept, or nothing. */
  shell: readonly string[];
  /** What the document names beside them, under names that stay the same from build to build. */
  beside: readonly string[];
  /** Our own parts that come later: kept where it is possible. */
  parts: readonly string[];
};
