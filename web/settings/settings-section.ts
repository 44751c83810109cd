/** In the order in which they are offered: who you are, how it is for you, what is kept, and what has been. */
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
