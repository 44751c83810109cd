import type { User } from "#contract/accounts/accounts.ts";

type Named = Pick<User, "firstname" | "lastname" | "username">;

/** Returns one or two letters for a user's picture: of first and last name, or of the username without names. */
export function initialsOf({ firstname, lastname, username }: Named): string {
  const names = [firstname, lastname].map((name) => name.trim()).filter(Boolean);
  const letters = names.length > 0 ? names.map((name) => [...name][0]) : [...username].slice(0, 2);
  return letters.join("").toLocaleUpperCase();
}

/** A user's picture; their name stands beside it. */
export function Initials({ user }: { user: Named }) {
  return (
    <span
      aria-hidden="true"
      className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent text-xs"
    >
      {initialsOf(user)}
    </span>
  );
}
