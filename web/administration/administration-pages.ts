import { LayoutDashboard, ListTodo, type LucideIcon, MailPlus, ScrollText, UsersRound, Wrench } from "lucide-react";

const icons = {
  overview: LayoutDashboard,
  people: UsersRound,
  invitations: MailPlus,
  settings: Wrench,
  audit: ScrollText,
  setup: ListTodo,
} satisfies Record<string, LucideIcon>;

export type AdministrationPage = keyof typeof icons;

export const isAdministrationPage = (word: string): word is AdministrationPage => Object.hasOwn(icons, word);

/** All pages of the administration, for its navigation. */
export const administrationPages = Object.keys(icons)
  .filter(isAdministrationPage)
  .map((page) => ({ page, Icon: icons[page] }));
