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

const markdown = "web/conversation/markdown";

export const budgets: Budget[] = [
  { name: "sign-in", maxKb: 120, sources: ["web/accounts/login-screen.tsx"], after: [] },
  { name: "chat shell", maxKb: 175, sources: ["web/app/chat-page.tsx"], after: [] },
  { name: "settings", maxKb: 30, sources: ["web/app/settings-page.tsx"], after: ["chat shell"] },
  { name: "search", maxKb: 10, sources: ["web/search/search-dialog.tsx"], after: ["chat shell"] },
  // A list, which only those load who choose a password, once they begin to type it.
  { name: "common passwords", maxKb: 210, sources: ["web/accounts/common-passwords.ts"], after: ["sign-in"] },
  { name: "Markdown", maxKb: 150, sources: [`${markdown}/rich-reply.tsx`], after: ["chat shell"] },
  {
    name: "rich parts",
    maxKb: 140,
    sources: [`${markdown}/highlight.ts`, `${markdown}/maths.ts`],
    after: ["chat shell", "Markdown"],
  },
];
