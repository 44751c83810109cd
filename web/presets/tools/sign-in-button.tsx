import { LogIn } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolServer } from "#contract/conversation/tools.ts";
import { textByCode } from "../../api/problem-text.ts";
import { Button } from "../../ui/components/button.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { beginSignIn } from "./begin-sign-in.ts";

/** Begins the sign-in to a server, for which the browser leaves the page. */
export function SignInButton({ server: { id, name } }: { server: Pick<ToolServer, "id" | "name"> }) {
  const { t } = useTranslation("toolServers");
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await beginSignIn(id);
    } catch (error) {
      notify("error", textByCode(error) ?? t("signInFailed"));
      setBusy(false);
    }
  };
  return (
    <Button
      variant="primary"
      size="small"
      busy={isBusy}
      aria-disabled={isBusy}
      aria-label={t("signInTo", { name })}
      onClick={() => void begin()}
    >
      {!isBusy && <LogIn aria-hidden="true" className="size-4" />}
      {t("signIn")}
    </Button>
  );
}
