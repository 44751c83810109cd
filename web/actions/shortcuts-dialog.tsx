import { Fragment, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import texts from "../locales/en/actions.json";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Keys } from "../ui/keys/keys.tsx";
import { isSign } from "../ui/keys/press.ts";
import { keysNow, type ShortcutId, shortcutGroups, shortcuts } from "../ui/keys/shortcuts.ts";
import { switchSigns, useAreSignsOn } from "../ui/keys/sign-keys.ts";
import type { ActionLabel } from "./action.ts";
import { actions } from "./registry.ts";

const ids = Object.keys(shortcuts) as ShortcutId[];
const own = texts.keyLabel;
const signs = ids.flatMap((id) => shortcuts[id].keys).filter(isSign);

/** List of all shortcuts by group. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("chat");
  return (
    <Dialog isOpen isWide onOpenChange={onClose} title={t("settings.shortcuts")}>
      <KeyList />
      <SignSwitch />
    </Dialog>
  );
}

function KeyList() {
  const { t } = useTranslation(["actions", "chat", "app"]);
  const list = useRef<HTMLDivElement>(null);
  // Focus the list, so that reading starts at its beginning; the default is the first control, which is at its end.
  useEffect(() => list.current?.focus(), []);
  return (
    <div ref={list} tabIndex={-1} className="gap-x-10 outline-none sm:columns-2">
      {shortcutGroups.map((group) => (
        <section key={group} aria-label={t(`actions:keyGroup.${group}`)} className="mb-5 break-inside-avoid">
          <h3 className="mb-1 font-medium text-muted text-xs">{t(`actions:keyGroup.${group}`)}</h3>
          <dl>
            {ids
              .filter((id) => shortcuts[id].group === group)
              .map((id) => (
                <div key={id} className="flex min-h-8 items-center justify-between gap-4 py-0.5 text-sm">
                  <dt>{t(labelOf(id))}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5">
                    {keysNow(id).map((press, index) => (
                      <Fragment key={`${press.key} ${press.isMod}`}>
                        {index > 0 && <span className="text-muted text-xs">{t("actions:or")}</span>}
                        <Keys press={press} />
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** Returns the label of a shortcut: its own if it has no action, or if the action's label is ambiguous in the list. */
function labelOf(id: ShortcutId): ActionLabel {
  const action = actions.find((each) => each.id === id);
  if (id in own) return `actions:keyLabel.${id as keyof typeof own}`;
  return action?.label ?? "actions:label.noPreset";
}

function SignSwitch() {
  const { t } = useTranslation("actions");
  const isOn = useAreSignsOn();
  const id = useId();
  return (
    // The whole label can be clicked.
    <div className="relative flex items-start gap-3 border-hairline border-t pt-4">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={`${id}-hint`}
        className="relative z-1 size-6 shrink-0 accent-accent"
        onChange={({ target }) => switchSigns(target.checked)}
      />
      <div className="text-sm">
        <label htmlFor={id} className="flex min-h-6 items-center after:absolute after:inset-0 after:top-1">
          {t("signs")}
        </label>
        <p id={`${id}-hint`} className="mt-0.5 text-muted text-xs">
          {t("signsHint", { keys: signs.map(({ key }) => key).join(" ") })}
        </p>
      </div>
    </div>
  );
}
