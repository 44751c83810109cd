import { useTranslation } from "react-i18next";
import { FailureBanner } from "../forms/failure-banner.tsx";
import type { Failure } from "../forms/use-sending.ts";
import { useWait } from "../forms/use-wait.ts";
import { Button } from "../ui/components/button.tsx";
import { PageHeading } from "./page-heading.tsx";

/** Failure to read a mailed link from the server, with a retry. */
export function LinkFailure({ title, link }: { title: string; link: Failure & { retry: () => void } }) {
  const { t } = useTranslation("accounts");
  const { leftMs } = useWait(link.error);
  return (
    <>
      <PageHeading title={title} />
      <FailureBanner failure={link} className="mb-6" />
      <Button size="large" className="w-full" disabled={leftMs > 0} onClick={link.retry}>
        {t("link.retry")}
      </Button>
    </>
  );
}
