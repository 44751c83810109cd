import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { OWN_SERVERS_MAX, type PersonalServers } from "#contract/mcp/own-servers.ts";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import type { QueryResult } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { PersonalServerForm } from "./personal-server-form.tsx";
import { PersonalServerRow } from "./personal-server-row.tsx";
import { type PersonalServerList, usePersonalServerList } from "./use-personal-server-list.ts";

/** Servers that the person has added, and those to which the person signs in. */
export function PersonalServersSection({ query }: { query: QueryResult<PersonalServers> }) {
  const { t } = useTranslation("ownServers");
  const heading = useRef<HTMLHeadingElement>(null);
  const { value, error, reload } = query;
  const list = usePersonalServerList(heading);
  const isEmpty = value?.servers.length === 0;
  const isAddable = value?.canAdd === true && !list.form.isOpen;
  return (
    <Section
      title={t("title")}
      text={t("text")}
      headingRef={heading}
      action={isAddable && !isEmpty && <AddButton servers={value} list={list} />}
    >
      {error !== null && <LoadFailure error={error} onRetry={() => void reload()} className="m-4 sm:m-5" />}
      {value !== null && list.form.isOpen && <NewServer list={list} />}
      {isEmpty && !list.form.isOpen && (
        <div className="flex flex-col items-center gap-4 px-6 py-10">
          <EmptyState title={t("empty")} text={t(value.canAdd ? "emptyText" : "closed")} />
          {isAddable && <AddButton servers={value} list={list} />}
        </div>
      )}
      {value !== null && !isEmpty && <Servers value={value} list={list} />}
      <FormStatusLine text={list.status} />
    </Section>
  );
}

const ownOf = ({ servers }: PersonalServers) => servers.filter(({ isOwn }) => isOwn);
const isFull = (servers: PersonalServers) => ownOf(servers).length >= OWN_SERVERS_MAX;

function AddButton({ servers, list }: { servers: PersonalServers; list: PersonalServerList }) {
  const { t } = useTranslation("ownServers");
  return (
    <Button
      ref={list.form.trigger}
      variant={servers.servers.length === 0 ? "primary" : "secondary"}
      size="small"
      aria-disabled={isFull(servers) || undefined}
      onClick={() => isFull(servers) || list.openForm()}
    >
      {t("add.open")}
    </Button>
  );
}

function NewServer({ list }: { list: PersonalServerList }) {
  const { t } = useTranslation("ownServers");
  return (
    <div className="border-hairline not-last:border-b p-4 sm:p-5">
      <h3 className="mb-4 font-semibold text-sm">{t("add.title")}</h3>
      <PersonalServerForm server={null} onSaved={list.onAdded} onCancel={list.form.close} />
    </div>
  );
}

function Servers({ value, list }: { value: PersonalServers; list: PersonalServerList }) {
  const { t } = useTranslation("ownServers");
  const isOff = !value.canAdd && ownOf(value).length > 0;
  return (
    <>
      {isOff && (
        <Banner tone="warning" className="mx-4 mt-4 mb-1 sm:mx-5">
          {t("off")}
        </Banner>
      )}
      {value.canAdd && isFull(value) && (
        <p className="border-hairline border-b px-4 py-3 text-muted text-sm sm:px-5">
          {t("full", { max: OWN_SERVERS_MAX })}
        </p>
      )}
      <ul aria-label={t("list")} className="divide-y divide-hairline">
        {value.servers.map((server) => (
          <PersonalServerRow key={server.id} server={server} list={list} />
        ))}
      </ul>
    </>
  );
}
