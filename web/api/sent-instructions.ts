const sent = new Set<string>();

/** Stores that this page has sent the text as the account's instructions. */
export function noteSentInstructions(instructions: string): void {
  sent.add(instructions);
}

/** Whether an event with the text reports a change by this page. */
export function hasSentInstructions(instructions: string): boolean {
  return sent.has(instructions);
}
