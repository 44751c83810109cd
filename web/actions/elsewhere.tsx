import { useEffect, useEffectEvent, useState } from "react";
import { SECOND } from "#contract/limits.ts";
import { isOverlaid } from "../ui/dialogs/is-overlaid.ts";
import { fieldOf, fits, isSign, isTaken, type Press } from "../ui/keys/press.ts";
import { areSignsOn } from "../ui/keys/sign-keys.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import { type FirstAction, firstKeys } from "./first-keys.ts";

const ids = Object.keys(firstKeys) as FirstAction[];
const SETTLED_AFTER_MS = 2 * SECOND;

const elsewhereModule = lazyModule(() => import("./other-page-actions.tsx"));

/** Actions of a page without a chat, by shortcut and palette, loaded on first use. */
export function ActionsElsewhere() {
  const [first, setFirst] = useState<FirstAction | null>(null);
  const part = useLazyModule(elsewhereModule, first !== null, () => setFirst(null));
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (first !== null || event.repeat || isTaken(event)) return;
    const counts = (press: Press) =>
      fits(event, press) && (!isSign(press) || (fieldOf(event) === null && areSignsOn()));
    const pressed = ids.find((id) => firstKeys[id].some(counts));
    if (!pressed || isOverlaid()) return;
    event.preventDefault();
    setFirst(pressed);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    const timer = setTimeout(() => void elsewhereModule.load().catch(() => undefined), SETTLED_AFTER_MS);
    return () => {
      window.removeEventListener("keydown", listen);
      clearTimeout(timer);
    };
  }, []);
  return part && first !== null && <part.default first={first} />;
}
