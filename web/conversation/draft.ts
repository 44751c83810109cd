/** What a person has written for one message and not sent. A value: a change makes a new one. */
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

  /** Returns this draft with the other one below it; only one of them where the other is empty. */
  join(other: Draft): Draft {
    return new Draft([this, other].flatMap(({ isEmpty, text }) => (isEmpty ? [] : [text])).join("\n\n"));
  }

  /** The stored form; null for a draft that holds no character. */
  toStored(): string | null {
    return this.text === "" ? null : this.text;
  }

  static fromStored(stored: string | null): Draft {
    return stored ? new Draft(stored) : Draft.empty;
  }
}
