import { ANTI_FORGERY_COOKIE } from "#contract/http.ts";

const names = [`__Host-${ANTI_FORGERY_COOKIE}`, ANTI_FORGERY_COOKIE];

/** Returns the CSRF token of the cookie that scripts of its own origin send back; null without a cookie. */
export function readAntiForgeryToken(cookies: string = document.cookie): string | null {
  const pairs = new Map(
    cookies.split(";").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
  for (const name of names) {
    const value = pairs.get(name);
    if (value) return decode(value);
  }
  return null;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
