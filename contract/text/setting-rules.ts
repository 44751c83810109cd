/**
 * Rules of the installation's settings, in the form of `validationTemplates`. They are apart, because every page loads
 * the others.
 */
export const settingRuleTemplates = {
  fixed: "{{field}} is set in the environment of the server",
  domain: "{{field}} must be domains such as example.org",
  network: "{{field}} must be addresses or ranges such as 192.168.0.0/16, not wider than one organisation's",
} as const;

export type SettingRule = keyof typeof settingRuleTemplates;
