import { useTranslation } from "react-i18next";
import { appearanceChoices } from "#contract/accounts/preferences.ts";
import { changeAccountAppearance, chooseAccountLanguage, deviceScope } from "../../accounts/account-preferences.ts";
import { useLanguageSelect } from "../../accounts/use-language-select.tsx";
import actions from "../../locales/en/actions.json";
import appearance from "../../locales/en/appearance.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Row, Section } from "../../page/section.tsx";
import { useStore } from "../../store/use-store.ts";
import {
  type Appearance,
  currentAppearance,
  subscribeAppearance,
  usualAppearance,
} from "../../ui/appearance/appearance.ts";
import { Button } from "../../ui/components/button.tsx";
import { Select } from "../../ui/components/fields/select.tsx";
import { pressName } from "../../ui/keys/key-names.ts";
import type { Press } from "../../ui/keys/press.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { ChoiceCards } from "./choice-cards.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { ReadingPreview } from "./reading-preview.tsx";
import { SwitchRow } from "./switch-row.tsx";
import { ThemePicture } from "./theme-picture.tsx";

registerTexts("actions", actions);
registerTexts("appearance", appearance);

/** Appearance settings and language: each choice is applied and stored at once. */
export function AppearancePage() {
  const { t } = useTranslation("appearance");
  const appearance = useAppearance();
  const isOnDevice = useStore(deviceScope);
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t(isOnDevice ? "kept" : "scope.text")}</p>
      <LanguageSection />
      <ThemeSection appearance={appearance} />
      <ReadingSection appearance={appearance} />
      <WritingSection appearance={appearance} />
      <NotificationsSection />
      <ScopeSection isOn={isOnDevice} />
      <ResetSection appearance={appearance} />
    </>
  );
}

type PartProps = { appearance: Appearance };

function ThemeSection({ appearance: { theme, contrast, motion } }: PartProps) {
  const { t } = useTranslation("appearance");
  return (
    <Section title={t("theme.title")}>
      <div className="divide-y divide-hairline">
        <div className="p-4 sm:p-5">
          <ChoiceCards
            legend={t("theme.legend")}
            isLegendHidden
            value={theme}
            columns="grid-cols-3"
            choices={appearanceChoices.theme.map((value) => ({
              value,
              label: t(`theme.${value}`),
              picture: <ThemePicture theme={value} isStrong={contrast === "more"} />,
            }))}
            onChoose={(value) => changeAccountAppearance({ theme: value })}
          />
        </div>
        <SwitchRow
          title={t("contrast")}
          text={t("contrastText")}
          isOn={contrast === "more"}
          onChange={(isOn) => changeAccountAppearance({ contrast: isOn ? "more" : "system" })}
        />
        <SwitchRow
          title={t("motion")}
          text={t("motionText")}
          isOn={motion === "less"}
          onChange={(isOn) => changeAccountAppearance({ motion: isOn ? "less" : "system" })}
        />
      </div>
    </Section>
  );
}

const typefaces = { sans: "font-sans", serif: "[font-family:'Source_Serif_4_Variable','Source_Serif_Fallback',serif]" };
/** Smallest first. */
const sizes = [
  ["small", "text-[0.9375rem]"],
  ["medium", "text-base"],
  ["large", "text-lg"],
  ["larger", "text-[1.3125rem]"],
] as const;

function ReadingSection({ appearance: { typeface, size, code, reasoning } }: PartProps) {
  const { t } = useTranslation("appearance");
  return (
    <Section title={t("reading.title")}>
      <div className="divide-y divide-hairline">
        <ReadingPreview typeface={typeface} wrapsCode={code === "wrap"} />
        <div className="p-4 sm:p-5">
          <ChoiceCards
            legend={t("reading.typeface")}
            value={typeface}
            columns="grid-cols-2"
            choices={appearanceChoices.typeface.map((value) => ({
              value,
              label: t(`reading.${value}`),
              picture: <Sample className={`text-2xl ${typefaces[value]}`} />,
            }))}
            onChoose={(value) => changeAccountAppearance({ typeface: value })}
          />
        </div>
        <div className="p-4 sm:p-5">
          <ChoiceCards
            legend={t("reading.size")}
            value={size}
            columns="grid-cols-2 sm:grid-cols-4"
            choices={sizes.map(([value, className]) => ({
              value,
              label: t(`reading.${value}`),
              picture: <Sample className={className} />,
            }))}
            onChoose={(value) => changeAccountAppearance({ size: value })}
          />
        </div>
        <SwitchRow
          title={t("reading.wrap")}
          text={t("reading.wrapText")}
          isOn={code === "wrap"}
          onChange={(isOn) => changeAccountAppearance({ code: isOn ? "wrap" : "scroll" })}
        />
        <SwitchRow
          title={t("reading.collapse")}
          text={t("reading.collapseText")}
          isOn={reasoning === "collapse"}
          onChange={(isOn) => changeAccountAppearance({ reasoning: isOn ? "collapse" : "remember" })}
        />
      </div>
    </Section>
  );
}

const LETTERS = "Aa";

function Sample({ className }: { className: string }) {
  return (
    <span aria-hidden="true" className={`flex h-10 items-center justify-center ${className}`}>
      {LETTERS}
    </span>
  );
}

const SEND: Press = { key: "Enter", isMod: true };

function WritingSection({ appearance: { send } }: PartProps) {
  const { t } = useTranslation(["appearance", "actions"]);
  const keys = pressName(SEND, t("actions:key", { returnObjects: true }));
  return (
    <Section title={t("writing.title")}>
      <div className="p-4 sm:p-5">
        <ChoiceCards
          legend={t("writing.legend")}
          isLegendHidden
          value={send}
          columns="sm:grid-cols-3"
          choices={[
            { value: "device", label: t("writing.device"), text: t("writing.deviceText") },
            { value: "enter", label: t("writing.enter"), text: t("writing.enterText") },
            {
              value: "mod-enter",
              label: t("writing.combined", { keys }),
              text: t("writing.combinedText"),
            },
          ]}
          onChoose={(value) => changeAccountAppearance({ send: value })}
        />
      </div>
    </Section>
  );
}

function ScopeSection({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation("appearance");
  return (
    <Section title={t("scope.title")}>
      <SwitchRow title={t("scope.device")} text={t("scope.deviceText")} isOn={isOn} onChange={deviceScope.set} />
    </Section>
  );
}

/** Time for which Undo is offered. */
const UNDO_MS = 10_000;

function ResetSection({ appearance }: PartProps) {
  const { t } = useTranslation("appearance");
  const isUsual = JSON.stringify(appearance) === JSON.stringify(usualAppearance);
  const reset = () => {
    if (isUsual) return;
    changeAccountAppearance(usualAppearance);
    const undo = { label: t("reset.undo"), run: () => changeAccountAppearance(appearance) };
    notify("info", t("reset.done"), { durationMs: UNDO_MS, action: undo });
  };
  return (
    <div className="mt-10 rounded-surface border border-hairline">
      <Row title={t("reset.title")} text={t("reset.text")}>
        <Button variant="secondary" size="small" aria-disabled={isUsual || undefined} onClick={reset}>
          {t("reset.button")}
        </Button>
      </Row>
    </div>
  );
}

/** Choice of the language. */
function LanguageSection() {
  const { t } = useTranslation("app");
  const select = useLanguageSelect({ hasOwn: true, choose: chooseAccountLanguage });
  return (
    <Section title={t("language.label")}>
      <div className="p-4 sm:p-5">
        <Select className="sm:max-w-80" {...select} />
      </div>
    </Section>
  );
}

/** Returns the current appearance, changed here or in another tab. */
function useAppearance(): Appearance {
  useStore({ subscribe: subscribeAppearance, get: () => JSON.stringify(currentAppearance()) });
  return currentAppearance();
}
