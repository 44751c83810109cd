import { Building2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import sso from "../../locales/en/sso.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";

registerTexts("sso", sso);

type ProviderButtonProps = {
  name: string;
  isMain?: boolean;
  /** Text while `onPress` is running, and until the page is left. */
  busyText: string;
  /** Resolves to whether the page is being left. What it throws is passed to `onFailure`. */
  onPress: () => Promise<boolean>;
  onFailure: (error: unknown) => void;
};

/** Button that continues with an identity provider. */
export function ProviderButton({ name, isMain = false, busyText, onPress, onFailure }: ProviderButtonProps) {
  const { t } = useTranslation("sso");
  const { run, isBusy } = useLeaving(onPress, onFailure);
  return (
    <Button
      variant={isMain ? "primary" : "secondary"}
      size="large"
      className="w-full"
      busy={isBusy}
      aria-disabled={isBusy || undefined}
      onClick={run}
    >
      {!isBusy && <Building2 aria-hidden="true" className="size-4 shrink-0" />}
      <span className="min-w-0 text-balance break-words">{isBusy ? busyText : t("continue", { name })}</span>
    </Button>
  );
}

/** Stays busy while the page is left, until the browser restores it from its back-forward cache. */
function useLeaving(onPress: () => Promise<boolean>, onFailure: (error: unknown) => void) {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const set = (next: boolean) => {
    isRunning.current = next;
    setBusy(next);
  };
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      isRunning.current = false;
      setBusy(false);
    };
    window.addEventListener("pageshow", comeBack);
    return () => window.removeEventListener("pageshow", comeBack);
  }, []);
  const run = async () => {
    if (isRunning.current) return;
    set(true);
    try {
      if (await onPress()) return;
    } catch (error) {
      onFailure(error);
    }
    set(false);
  };
  return { run, isBusy };
}
