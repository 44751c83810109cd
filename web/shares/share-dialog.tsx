import { type ReactNode, useEffect, useEffectEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import type { ShareList } from "#contract/shares/shares.ts";
import shares from "../locales/en/shares.json";
import { registerTexts } from "../locales/i18n.ts";
import { useQuery } from "../queries/use-query.ts";
import { Button } from "../ui/components/button.tsx";
import { Spinner } from "../ui/components/spinner.tsx";
import { ColumnDialog } from "../ui/dialogs/column-dialog.tsx";
import { Banner } from "../ui/notifications/banner.tsx";
import { ChatLinks } from "./chat-links.tsx";
import { ShareFooter, ShareForm } from "./share-form.tsx";
import { SharePreview } from "./share-preview.tsx";
import { ShareReady } from "./share-ready.tsx";
import { shareFailureText } from "./share-texts.ts";
import { sharesQuery } from "./shares-query.ts";
import { useShareForm } from "./use-share-form.ts";

registerTexts("shares", shares);

export type ShareDialogProps = {
  /** `isWriting`: a reply in it is being written. */
  chat: { id: string; title: string; isWriting: boolean };
  /** Called when it is known whether a link leads to the chat, and whenever that changes. */
  onShared: (isShared: boolean) => void;
  onClose: () => void;
};

/** Dialog that makes links to snapshots of a chat, updates and revokes them. */
export function ShareDialog({ chat, onShared, onClose }: ShareDialogProps) {
  const { value, error, reload } = useQuery(sharesQuery);
  const isShared = value?.shares.some(({ chatId }) => chatId === chat.id);
  const reportShared = useEffectEvent((is: boolean) => onShared(is));
  useEffect(() => {
    if (isShared !== undefined) reportShared(isShared);
  }, [isShared]);
  if (value === null) {
    return (
      <Shell chat={chat} isWide onClose={onClose}>
        <Loading error={error} onRetry={() => void reload()} />
      </Shell>
    );
  }
  if (value.rules.audiences.length === 0) {
    return (
      <Shell chat={chat} onClose={onClose}>
        <SharingOff chatId={chat.id} list={value} />
      </Shell>
    );
  }
  return <Sharing chat={chat} list={value} onClose={onClose} />;
}

type ShellProps = {
  chat: { title: string };
  isWide?: boolean;
  isHeld?: boolean;
  onClose: () => void;
  children: ReactNode;
};

function Shell({ chat, onClose, ...dialog }: ShellProps) {
  const { t } = useTranslation("shares");
  return <ColumnDialog title={t("title")} description={chat.title} onOpenChange={onClose} {...dialog} />;
}

function Loading({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation("shares");
  const retry = (
    <Button variant="secondary" size="small" className="shrink-0 self-center" onClick={onRetry}>
      {t("again")}
    </Button>
  );
  return (
    <div className="min-h-0 flex-1 p-4 sm:p-6 md:h-[44rem]">
      {error === null ? (
        <p role="status" className="flex items-center gap-2 text-muted text-sm">
          <Spinner />
          {t("loading")}
        </p>
      ) : (
        <Banner action={retry}>
          {t("loadFailed")} {shareFailureText(error)}
        </Banner>
      )}
    </div>
  );
}

/** Stands for the form while links are off. Links from before can be revoked. */
function SharingOff({ chatId, list: { rules, shares: all } }: { chatId: string; list: ShareList }) {
  const { t } = useTranslation("shares");
  const links = all.filter((share) => share.chatId === chatId);
  return (
    <div className="flex flex-col gap-5 overflow-y-auto p-4 sm:p-6">
      <div className="text-sm leading-text">
        <p className="font-medium">{t("off")}</p>
        <p className="text-muted">{t("offText")}</p>
      </div>
      {links.length > 0 && <ChatLinks shares={links} rules={rules} />}
    </div>
  );
}

type SharingProps = Pick<ShareDialogProps, "chat" | "onClose"> & { list: ShareList };

function Sharing({ chat, list, onClose }: SharingProps) {
  const form = useShareForm(chat.id, list);
  const id = useId();
  const links = list.shares.filter(({ chatId }) => chatId === chat.id);
  const { published, draft, linkId } = form;
  return (
    <Shell chat={chat} isWide isHeld={form.isSending} onClose={onClose}>
      <div className="min-h-0 flex-1 max-md:overflow-y-auto md:grid md:h-[44rem] md:grid-cols-[23rem_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)_auto]">
        {published ? (
          <ShareReady published={published} onClose={onClose} />
        ) : (
          <ShareForm id={id} form={form} rules={list.rules} shares={links} isWriting={chat.isWriting} />
        )}
        <SharePreview draft={draft} linkId={linkId} />
        {!published && <ShareFooter id={id} form={form} />}
      </div>
    </Shell>
  );
}
