/**
 * Largest allowed weight of a step of a visit: scripts compressed with Brotli, in kB of 1,000 bytes. A step is the
 * entry or a lazy module with its static imports, without the scripts of earlier steps.
 */
export type Budget = {
  name: string;
  maxKb: number;
  /** Sources that the step loads, as paths in the repository. */
  sources: string[];
  /** Names of earlier steps, whose scripts are not counted again. */
  after: string[];
};

const markdown = "web/markdown";

export const budgets: Budget[] = [
  { name: "sign-in", maxKb: 120, sources: ["web/accounts/sign-in/login-screen.tsx"], after: [] },
  // Pages that a link opens first: they load nothing of the chat.
  { name: "registration", maxKb: 125, sources: ["web/accounts/registration/register-screen.tsx"], after: [] },
  // With the marks of models that do not answer, which the menus and the palette share.
  { name: "settings opened first", maxKb: 161, sources: ["web/app/settings-page.tsx"], after: [] },
  { name: "chat shell", maxKb: 171, sources: ["web/app/chat-page.tsx"], after: [] },
  // Loaded after the chat, or when a menu is first opened: the first menu loads the code that all menus share.
  {
    name: "menus",
    maxKb: 36,
    sources: ["web/models/model-options.tsx", "web/chats/person-choices.tsx"],
    after: ["chat shell"],
  },
  // Loaded after the menus, or when the list of models is first opened and is long.
  {
    name: "model search",
    maxKb: 10,
    sources: ["web/models/search/model-search-menu.tsx"],
    after: ["chat shell", "menus"],
  },
  // Settings share code with menus, and are opened from a menu.
  { name: "settings", maxKb: 30, sources: ["web/app/settings-page.tsx"], after: ["chat shell", "menus"] },
  { name: "actions", maxKb: 17, sources: ["web/actions/chat-page-actions.tsx"], after: ["chat shell", "menus"] },
  {
    name: "palette and search",
    maxKb: 14,
    sources: ["web/actions/palette.tsx"],
    after: ["chat shell", "menus", "actions"],
  },
  // Loaded when somebody starts to type a new password.
  {
    name: "common passwords",
    maxKb: 210,
    sources: ["web/accounts/registration/common-passwords.ts"],
    after: ["sign-in"],
  },
  { name: "Markdown", maxKb: 150, sources: [`${markdown}/rich-reply.tsx`], after: ["chat shell"] },
  // Loaded when a file is opened. The worker that draws PDFs, 415 kB, is loaded with the first of them.
  {
    name: "file viewer",
    maxKb: 30,
    sources: ["web/files/view/file-viewer.tsx"],
    after: ["chat shell", "menus", "settings", "actions", "palette and search"],
  },
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

/** Budget of the document that readers of a link open, without the texts of their language. */
export const shareBudgets: Budget[] = [
  { name: "page of a link", maxKb: 15, sources: ["web/shared-page/main.ts"], after: [] },
];
