import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { SETUP_PATH, setupSchema } from "#contract/setup.ts";
import { useAuthConfig } from "../accounts/auth-config.ts";
import { api } from "../api/client.ts";
import { cx } from "../ui/components/cx.ts";
import { textLink } from "../ui/components/text-link.ts";
import { NoticeStrip } from "./notice-strip.tsx";

/** Reminds an owner of the first steps that are still to do, until they are done or the hint is dismissed for good. */
export function SetupHint() {
  const { t } = useTranslation("notice");
  const { productName: product } = useAuthConfig();
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    api.get(SETUP_PATH, setupSchema, { signal }).then(
      ({ steps, dismissedAt }) => {
        const todo = Object.values(steps).filter((state) => state === "todo");
        if (!signal.aborted && dismissedAt === undefined) setLeft(todo.length);
      },
      // The next visit tries again.
      () => undefined,
    );
    return () => leaving.abort();
  }, []);
  const dismiss = () => {
    setLeft(0);
    void api.patch(SETUP_PATH, { isDismissed: true }, null).catch(() => undefined);
  };
  if (left === 0) return null;
  return (
    <NoticeStrip
      onDismiss={dismiss}
      action={
        <Link to="/administration/setup" className={cx(textLink, "shrink-0 self-start")}>
          {t("openSetup")}
        </Link>
      }
    >
      {t("setup", { product, count: left })}
    </NoticeStrip>
  );
}
