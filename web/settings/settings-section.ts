export const settingsSections = ["account", "security", "chat", "data", "usage", "activity"] as const;
export type SettingsSection = (typeof settingsSections)[number];

export const isSettingsSection = (word: string): word is SettingsSection =>
  settingsSections.some((section) => section === word);
