import { useTranslation } from "react-i18next";
import type { Releases } from "#contract/administration/overview.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../forms/use-action.ts";
import { Row, Section } from "../../page/section.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { withProof } from "../../proof/proof.ts";
import { SwitchRow } from "../../settings/appearance/switch-row.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { administrationApi } from "../administration-api.ts";
import { useHasRole } from "../use-has-role.ts";

type ReleasesSectionProps = {
  releases: Releases;
  /** Called after the switch was changed. */
  onChanged: () => void;
};

/** Whether a newer version exists, and the owner's switch for the question. */
export function ReleasesSection({ releases, onChanged }: ReleasesSectionProps) {
  const { t } = useTranslation("administration");
  const isOwner = useHasRole("owner");
  const { run, busy, failure } = useAction<"switch">();
  const { isChecked, isFixed } = releases;
  const change = (isOn: boolean) =>
    void run("switch", async () => {
      await withProof(() => administrationApi.switchReleaseCheck(isOn));
      onChanged();
    });
  if (!isOwner && !isChecked) return null;
  return (
    <Section title={t("overview.releases.title")}>
      <div className="divide-y divide-hairline">
        {isOwner && !isFixed && (
          <SwitchRow
            title={t("overview.releases.switch")}
            text={t("overview.releases.text")}
            isOn={busy === null ? isChecked : !isChecked}
            onChange={change}
          />
        )}
        {isOwner && isFixed && <Row title={t("overview.releases.fixed")} text={t("overview.releases.text")} />}
        {isChecked && <Known releases={releases} />}
      </div>
      {failure !== null && (
        <div className="px-4 pb-4 sm:px-5">
          <FailureBanner failure={failure} />
        </div>
      )}
    </Section>
  );
}

function Known({ releases: { newer, checkedAt, hasFailed } }: { releases: Releases }) {
  const { t } = useTranslation("administration");
  if (checkedAt === undefined) return null;
  const title = newer
    ? t("overview.releases.newer", { version: newer.version })
    : t(hasFailed ? "overview.releases.failed" : "overview.releases.newest");
  return (
    <Row title={title} text={<TimeAgo at={checkedAt} sentence={(time) => t("overview.releases.checked", { time })} />}>
      {newer && (
        <a href={newer.url} target="_blank" rel="noopener noreferrer" className={`${textLink} text-sm`}>
          {t("overview.releases.notes")}
        </a>
      )}
    </Row>
  );
}
