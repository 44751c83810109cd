/** Texts that belong to no feature. */
export const app = {
  close: "Close",
  cancel: "Cancel",
  /** The first thing that Tab comes to. */
  skip: "Skip to content",
  /** What holds them; F6 leads there. */
  notifications: "Notifications",
  loading: "Loading…",
  instructionsChanged: "Your instructions for all chats were changed in another tab or on another device.",
  notFoundTitle: "There is nothing here",
  notFoundText: "The page {{path}} does not exist. It may have moved, or the link may be incomplete.",
  notFoundAction: "Go to your chats",
  brokenTitle: "This page has stopped working",
  brokenText: "Something on this page failed. What was sent is kept; reload the page to go on.",
  brokenAction: "Reload the page",
  documentTitle: "{{page}} · {{product}}",
  documentTitleCounted: "({{count}}) {{title}}",
  page: {
    login: "Sign in",
    register: "Create account",
    verifyEmail: "Verify email",
    forgotPassword: "Forgot password",
    resetPassword: "Set a new password",
    confirmEmail: "Confirm email",
    undoEmail: "Undo email change",
    chat: "Chat",
    settings: "Settings",
    accessibility: "Accessibility",
    notFound: "Not found",
  },
  language: { label: "Language", own: "As in my browser" },
  /** How long to wait, and what for. */
  wait: {
    seconds_one: "{{count}} second",
    seconds_other: "{{count}} seconds",
    minutes_one: "{{count}} minute",
    minutes_other: "{{count}} minutes",
    hours_one: "{{count}} hour",
    hours_other: "{{count}} hours",
    tooOften: "That was too often. Please wait {{wait}}.",
    over: "You can try again now.",
  },
  /** Failures that no server tells. */
  failure: {
    unknown: "Unknown error occurred",
    unreachable: "The server could not be reached. Please check your connection and try again.",
    part: "This could not be loaded. Please check your connection and try again, or reload the page.",
    "unexpected-answer": "The server gave an answer that this page does not understand. Please reload the page.",
  },
} as const;
