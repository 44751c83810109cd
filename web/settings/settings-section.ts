/** Sections in the order of the navigation: the person, preferences, stored data, and history. */
export const settingsSections = [
  "account",
  "appearance",
  "chat",
  "models",
  "data",
  "security",
  "activity",
  "usage",
] as const;
export type SettingsSection = (typeof settingsSections)[number];

export const isSettingsSection = (word: string): word is SettingsSection =>
  settingsSections.some((section) => section === word);
