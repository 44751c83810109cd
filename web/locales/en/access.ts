/** The accessibility statement. */
export const access = {
  title: "Accessibility",
  promise:
    "{{product}} is made so that everybody can use it: with a mouse, by touch, by keyboard alone, with a screen reader, enlarged, in high contrast. It is built to conform to the Web Content Accessibility Guidelines 2.2 at level AA.",
  does: {
    title: "What you can count on",
    keyboard:
      "Everything can be done by keyboard, and what has the focus shows it. The key ? lists all shortcuts, and F6 leads to a notification and back.",
    spoken: "A screen reader is told each sentence of an answer as it comes, without being interrupted.",
    seen: "Text has a contrast of at least 7 to 1, notes beside it of at least 4.5 to 1. Settings has a high-contrast look, in which it is 7 to 1 for both, larger text for answers, and a look with less motion; your system’s wishes are followed by themselves.",
    zoom: "At 200 % and on a screen of 320 px nothing is cut off, and nothing has to be read sideways but tables and code.",
    touch: "What a finger must hit is at least 44 px wide and high.",
    languages: "The page speaks eight languages, one of them from right to left.",
  },
  tested: {
    title: "How it is tested",
    text: "At each change, automatic checks look at every page in its states with axe, in the light and in the dark look, and walk through the main tasks by keyboard alone, on a phone’s screen, at 200 % and at 320 px, with more space between letters, words and lines. Contrasts are computed from the colours themselves.",
  },
  limits: {
    title: "What does not work well yet",
    answers: "What the assistant writes is its own: its tables, headings and formulas may be ill-formed.",
    diagrams: "Diagrams in answers are pictures; their source can be shown as text in their place.",
    google: "The button “Sign in with Google” comes from Google. Signing in with a password needs none.",
    screenReaders: "No test with people who use screen readers every day has been made so far.",
  },
  contact: {
    title: "Something is in your way?",
    text: "Please tell whoever runs this server; they can pass it on to those who make it. A description of what you tried, and with which browser and aid, helps most.",
  },
  reviewed: "Last reviewed on {{date}}.",
  back: "Back",
} as const;
