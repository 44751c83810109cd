/**
 * Rules of the installation's settings and of connections, in the form of `validationTemplates`. They are apart, because every page loads
 * the others.
 */
export const settingRuleTemplates = {
  fixed: "{{field}} is set in the environment of the server",
  domain: "{{field}} must be domains such as example.org",
  network: "{{field}} must be addresses or ranges such as 192.168.0.0/16, not wider than one organisation's",
  reserved: "{{field}} must not set a name that the connection sets itself, such as Host, Cookie or that of its key",
  repeated: "{{field}} must not set a name twice",
  identity: "{{field}} must not contain {email} or {name}, unless the connection is set to send them",
} as const;

export type SettingRule = keyof typeof settingRuleTemplates;
