import {
  Bot,
  ChartNoAxesColumn,
  Database,
  Hammer,
  type LucideIcon,
  MessageSquareText,
  Palette,
  ShieldCheck,
  User,
} from "lucide-react";
import type app from "../locales/en/app.json";

export type SettingsSection = keyof typeof app.settingsPage;

/** Key of a page's name. Each place that shows or links to a page uses this name. */
export type SettingsName = `app:settingsPage.${SettingsSection}`;

/** Icons of the settings pages, in the order of each list: the person, preferences, stored data, security, and history. */
const icons: Record<SettingsSection, LucideIcon> = {
  account: User,
  appearance: Palette,
  chat: MessageSquareText,
  models: Bot,
  tools: Hammer,
  data: Database,
  security: ShieldCheck,
  usage: ChartNoAxesColumn,
};

export const isSettingsSection = (word: string): word is SettingsSection => Object.hasOwn(icons, word);

/** Page, or a section of one that has an address, because people look for it. */
export type SettingsLocation = SettingsSection | "security#activity" | "data#shared-links";

/** Other names of pages, as people type them into the address: they redirect. */
const otherNames = new Map<string, SettingsLocation>([
  ["activity", "security#activity"],
  ["presets", "chat"],
  ["instructions", "chat"],
  ["export", "data"],
  ["import", "data"],
  ["shares", "data#shared-links"],
  ["shared-links", "data#shared-links"],
  ["password", "security"],
  ["profile", "account"],
]);

/** Returns the place that `word` of an address redirects to. */
export const otherNameOfSection = (word: string): SettingsLocation | undefined => otherNames.get(word);

/** All settings pages, for navigation and command palette. */
export const settingsSections = Object.keys(icons)
  .filter(isSettingsSection)
  .map((section) => ({ section, Icon: icons[section], name: `app:settingsPage.${section}` as const }));
