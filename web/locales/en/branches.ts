/** What can be done with the messages of a conversation: other answers, other wordings, other versions, quotes. */
export const branches = {
  regenerate: "Regenerate",
  otherModel: "Regenerate with another model",
  edit: "Edit",
  editing: {
    label: "Edit message",
    hint: "Sending begins a new version. What was said before stays.",
    send: "Send",
  },
  versions: "Versions",
  version: "Version {{n}} of {{count}}",
  previous: "Previous version",
  next: "Next version",
  quote: "Quote",
  failure: "This version could not be shown. Please try again.",
} as const;
