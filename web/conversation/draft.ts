/** Unsent text of one message. Immutable: a change makes a new draft. */
export class Draft {
  static readonly empty = new Draft("");
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether there is nothing to send. */
  get isEmpty(): boolean {
    return this.text.trim() === "";
  }

  isSame(other: Draft): boolean {
    return this.text === other.text;
  }

  includes(other: Draft): boolean {
    return this.text.includes(other.text);
  }

  /** Returns this draft with the other one below it; only one of them if the other is empty. */
  join(other: Draft): Draft {
    return new Draft([this, other].flatMap(({ isEmpty, text }) => (isEmpty ? [] : [text])).join("\n\n"));
  }

  /** Returns the stored form; null for a draft without characters. */
  toStored(): string | null {
    return this.text === "" ? null : this.text;
  }

  static fromStored(stored: string | null): Draft {
    return stored ? new Draft(stored) : Draft.empty;
  }
}
