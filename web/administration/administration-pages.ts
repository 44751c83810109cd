import {
  Blocks,
  Boxes,
  Building2,
  Globe,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
  MailPlus,
  Plug,
  ScrollText,
  UsersRound,
  Wrench,
} from "lucide-react";
import { type AccountRole, hasRole } from "#contract/accounts/roles.ts";

const icons = {
  overview: LayoutDashboard,
  people: UsersRound,
  invitations: MailPlus,
  groups: Boxes,
  connections: Plug,
  "web-search": Globe,
  "tool-servers": Blocks,
  "identity-providers": Building2,
  settings: Wrench,
  audit: ScrollText,
  setup: ListTodo,
} satisfies Record<string, LucideIcon>;

export type AdministrationPage = keyof typeof icons;

export const isAdministrationPage = (word: string): word is AdministrationPage => Object.hasOwn(icons, word);

/** Roles that open pages, besides those for administrators. Those of an owner are not for administrators. */
const required: Partial<Record<AdministrationPage, AccountRole>> = {
  people: "manager",
  invitations: "manager",
  groups: "manager",
  connections: "owner",
  "web-search": "owner",
  "identity-providers": "owner",
  setup: "owner",
};

/** Returns the pages of the administration that an account with a role can open, for the navigation. */
export function pagesFor(role: AccountRole): { page: AdministrationPage; Icon: LucideIcon }[] {
  return Object.keys(icons)
    .filter(isAdministrationPage)
    .filter((page) => hasRole(role, required[page] ?? "administrator"))
    .map((page) => ({ page, Icon: icons[page] }));
}
