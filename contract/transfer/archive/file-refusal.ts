/**
 * Thrown for a file that cannot be imported at all. `broken-archive`: a zip that is damaged, incomplete, or of another
 * kind than those of exports; `archive-too-complex`: a zip that would take too much time or memory.
 */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
  readonly reason: "not-an-export" | "newer-export" | "broken-archive" | "archive-too-complex";

  constructor(reason: FileRefusal["reason"], detail: string = reason, options?: ErrorOptions) {
    super(detail, options);
    this.reason = reason;
  }
}
