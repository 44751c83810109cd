import { useTranslation } from "react-i18next";
import { keysOf } from "./key-names.ts";
import { isApple, type Press } from "./press.ts";

const keyClass =
  "inline-flex h-5 min-w-5 items-center justify-center rounded-small border border-hairline bg-sunken px-1 " +
  "font-sans text-muted text-xs tabular-nums";

/** Keys of one press, with the labels of the platform's keyboard. */
export function Keys({ press }: { press: Press }) {
  const { t } = useTranslation("actions");
  const names = keysOf(press, t("key", { returnObjects: true }));
  // Apple's symbols are written without separators.
  if (isApple()) return <kbd className={keyClass}>{names.join("")}</kbd>;
  return (
    <kbd className="inline-flex gap-1" dir="ltr">
      {names.map((name) => (
        <kbd key={name} className={keyClass}>
          {name}
        </kbd>
      ))}
    </kbd>
  );
}
