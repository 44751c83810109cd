import { useTranslation } from "react-i18next";
import { keysOf } from "../ui/keys/key-names.ts";
import { isApple, type Press } from "../ui/keys/press.ts";

const look =
  "inline-flex h-5 min-w-5 items-center justify-center rounded-small border border-hairline bg-sunken px-1 " +
  "font-sans text-muted text-xs tabular-nums";

/** The keys of one press, as they are named on the keyboard that is here. */
export function Keys({ press }: { press: Press }) {
  const { t } = useTranslation("actions");
  const names = keysOf(press, t("key", { returnObjects: true }));
  // Apple's signs stand together.
  if (isApple()) return <kbd className={look}>{names.join("")}</kbd>;
  return (
    <kbd className="inline-flex gap-1" dir="ltr">
      {names.map((name) => (
        <kbd key={name} className={look}>
          {name}
        </kbd>
      ))}
    </kbd>
  );
}
