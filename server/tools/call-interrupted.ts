/** Reason of the signal of a call whose reply another run continues: what the tool has begun must not be undone. */
export class CallInterrupted extends Error {
  constructor() {
    super("The reply is continued by another run");
    this.name = "CallInterrupted";
  }
}
