/**
 * What each step of a visit may weigh, script in brotli, in kB of 1,000 bytes.
 * A step is the entry or a lazily loaded source with all that it imports statically, less what earlier steps brought.
 */
export type Budget = {
  name: string;
  maxKb: number;
  /** Sources under the repository's root that the step loads, beside the page's entry. */
  sources: string[];
  /** Names of the steps that are loaded before it and whose scripts are not counted again. */
  after: string[];
};

const markdown = "web/markdown";

export const budgets: Budget[] = [
  { name: "sign-in", maxKb: 120, sources: ["web/accounts/sign-in/login-screen.tsx"], after: [] },
  { name: "chat shell", maxKb: 160, sources: ["web/app/chat-page.tsx"], after: [] },
  // Behind the chat, or when one is first opened: the first menu brings what all of them rest on.
  {
    name: "menus",
    maxKb: 35,
    sources: ["web/models/model-options.tsx", "web/chats/person-choices.tsx"],
    after: ["chat shell"],
  },
  // Dialogs and menus share much: whoever opens the settings has met the menu that leads there.
  { name: "settings", maxKb: 30, sources: ["web/app/settings-page.tsx"], after: ["chat shell", "menus"] },
  { name: "actions", maxKb: 15, sources: ["web/actions/chat-page-actions.tsx"], after: ["chat shell", "menus"] },
  {
    name: "palette and search",
    maxKb: 14,
    sources: ["web/actions/palette.tsx"],
    after: ["chat shell", "menus", "actions"],
  },
  // A list, which only those load who choose a password, once they begin to type it.
  {
    name: "common passwords",
    maxKb: 210,
    sources: ["web/accounts/registration/common-passwords.ts"],
    after: ["sign-in"],
  },
  { name: "Markdown", maxKb: 150, sources: [`${markdown}/rich-reply.tsx`], after: ["chat shell"] },
  {
    name: "rich parts",
    maxKb: 140,
    sources: [`${markdown}/code/highlight.ts`, `${markdown}/maths/maths.ts`],
    after: ["chat shell", "Markdown"],
  },
];

/** Budget of the frame that draws diagrams, loaded with the first diagram. Each kind of diagram loads more. */
export const frameBudgets: Budget[] = [
  { name: "diagram frame", maxKb: 170, sources: ["web/sandbox/diagram.ts"], after: [] },
];
