const isApple = () => /mac|iphone|ipad/i.test(navigator.platform);

/** What stands on the keyboard for Alt. */
export const altKeyName = (): string => (isApple() ? "⌥" : "Alt");

/** Alt with another key, as menus name it. */
export const altWith = (key: string | number): string => (isApple() ? `⌥${key}` : `Alt+${key}`);
