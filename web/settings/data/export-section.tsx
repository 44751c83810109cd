import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SECOND } from "#contract/limits.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../forms/use-action.ts";
import { sizeText } from "../../locales/size-text.ts";
import { Row, Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import { exportAll } from "../../transfer/export-all.ts";
import { Button } from "../../ui/components/button.tsx";
import { notify } from "../../ui/notifications/notify.ts";

/** Exports all chats as one file. */
export function ExportSection() {
  const { t, i18n } = useTranslation("transfer");
  const { run, busy, failure } = useAction<"export">();
  const [bytes, setBytes] = useState(0);
  const reading = useRef<AbortController | null>(null);
  useEffect(() => () => reading.current?.abort(), []);

  const save = () =>
    run("export", async () => {
      const own = new AbortController();
      reading.current = own;
      setBytes(0);
      try {
        await withProof(() => exportAll(own.signal, setBytes));
        notify("info", t("exported"), { durationMs: 6 * SECOND });
      } catch (error) {
        if (!own.signal.aborted) throw error;
      }
    });

  return (
    <Section title={t("exportTitle")} text={t("exportText")}>
      <Row
        title={<span role="status">{busy === null ? t("allChats") : t("exporting")}</span>}
        text={busy !== null && bytes > 0 ? t("soFar", { size: sizeText(bytes, i18n.language) }) : undefined}
      >
        {busy === null ? (
          <Button variant="secondary" size="small" onClick={() => void save()}>
            <Download aria-hidden="true" className="size-4" />
            {t("exportAll")}
          </Button>
        ) : (
          <Button variant="secondary" size="small" busy onClick={() => reading.current?.abort()}>
            {t("stop")}
          </Button>
        )}
      </Row>
      <FailureBanner failure={failure} className="mx-4 mb-4 sm:mx-5" />
    </Section>
  );
}
