import { useTranslation } from "react-i18next";
import type { Storage } from "#contract/files/storage.ts";
import { sizeText } from "../../locales/size-text.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Row, Section } from "../../page/section.tsx";
import { useQuery } from "../../queries/use-query.ts";
import { cx } from "../../ui/components/cx.ts";
import { ChatRow } from "./chat-row.tsx";
import { storageQuery } from "./storage-query.ts";

/** Storage usage of the account against its quota, and its largest chats. */
export function StorageSection() {
  const { t } = useTranslation("settings");
  const { value, error, reload } = useQuery(storageQuery);
  return (
    <Section title={t("data.storage")} text={t("data.storageText")}>
      {error !== null && <LoadFailure error={error} onRetry={reload} />}
      {value === null && error === null && <LinesLoading lines={3} />}
      {value !== null && <Stored storage={value} />}
    </Section>
  );
}

const meter = cx(
  "h-2 w-32 appearance-none overflow-hidden rounded-full border border-outline bg-page forced-colors:appearance-auto",
  "[&::-webkit-progress-bar]:bg-page [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent",
);

function Stored({ storage: { bytes, maxBytes, maxChatBytes, largest } }: { storage: Storage }) {
  const { t, i18n } = useTranslation("settings");
  const size = (value: number) => sizeText(value, i18n.language);
  const used = t("data.stored", { size: size(bytes), max: size(maxBytes) });
  return (
    <>
      <Row title={used} text={t("data.storedInChat", { max: size(maxChatBytes) })}>
        <progress aria-label={used} max={maxBytes} value={Math.min(bytes, maxBytes)} className={meter} />
      </Row>
      <div className="border-hairline border-t">
        {largest.length === 0 ? (
          <p className="px-4 py-4 text-muted text-sm sm:px-5">{t("data.nothingStored")}</p>
        ) : (
          <>
            <h3 className="px-4 pt-4 font-medium text-sm sm:px-5">{t("data.largest")}</h3>
            <ul className="divide-y divide-hairline">
              {largest.map((chat) => (
                <ChatRow key={chat.id} id={chat.id} title={chat.title}>
                  <span className="text-muted text-sm tabular-nums">{size(chat.bytes)}</span>
                </ChatRow>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}
