import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DAY } from "#contract/limits.ts";
import {
  defaultShareOptions,
  type Share,
  type ShareAudience,
  type ShareList,
  type ShareOptions,
} from "#contract/shares/shares.ts";
import { ApiError } from "../api/api-error.ts";
import { type Failure, useSending } from "../forms/use-sending.ts";
import { writeClipboard } from "../ui/write-clipboard.ts";
import { allowedAudience, allowedLife, lifeOf, type ShareLife } from "./share-choices.ts";
import { shareFailureText } from "./share-texts.ts";
import { sharesApi } from "./shares-api.ts";
import { cacheShare, sharesQuery } from "./shares-query.ts";
import { type ShareDraftState, useShareDraft } from "./use-share-draft.ts";

/** A link that was made just now. `isUpdate`: it has replaced an older one. */
export type Published = { share: Share; isUpdate: boolean; isCopied: boolean };

export type ShareFormState = {
  draft: ShareDraftState;
  options: ShareOptions;
  setOptions: (options: ShareOptions) => void;
  audience: ShareAudience;
  setAudience: (audience: ShareAudience) => void;
  life: ShareLife;
  setLife: (life: ShareLife) => void;
  /** When the link would expire if it were made now; Unix time in ms. */
  expiresAt: number | null;
  /** The link whose address is to lead to the new snapshot. */
  replaced: Share | null;
  /** Begins to update a link with its own choices; null begins a new link. */
  update: (share: Share | null) => void;
  /** Id of the link that the draft has become; null before. The draft of an update exists no more. */
  linkId: string | null;
  /** Null until the address was copied, or could not be. */
  published: Published | null;
  isSending: boolean;
  failure: Failure | null;
  publish: () => Promise<void>;
};

/** State of the form that makes a link to a chat, or updates one. */
export function useShareForm(chatId: string, { rules, shares }: ShareList): ShareFormState {
  const { t } = useTranslation("shares");
  const [options, setOptions] = useState(defaultShareOptions);
  const [chosen, setChosen] = useState<{ audience?: ShareAudience; life?: ShareLife }>({});
  const [replacedId, setReplacedId] = useState<string | null>(null);
  const [linkId, setLinkId] = useState<string | null>(null);
  const [published, setPublished] = useState<Published | null>(null);
  const draft = useShareDraft(chatId, options);
  const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;
  const sending = useSending((error) => (isGone(error) ? t("form.expired") : shareFailureText(error)));
  // The rules may have changed since the choice.
  const audience = allowedAudience(rules, chosen.audience);
  const life = allowedLife(rules, chosen.life);
  // The link may have been revoked meanwhile.
  const replaced = shares.find(({ id }) => id === replacedId) ?? null;

  const update = (share: Share | null) => {
    sending.dismiss();
    setReplacedId(share?.id ?? null);
    if (!share) return;
    setOptions(share.options);
    setChosen({ audience: share.audience, life: lifeOf(share) });
  };
  const publish = () =>
    sending.send(async () => {
      if (draft.preview === null || draft.isBusy || draft.failure !== null) return;
      try {
        const publication = { audience, days: life, ...(replaced && { replaces: replaced.id }) };
        const share = await sharesApi.publish(draft.preview.draft.id, publication);
        setLinkId(share.id);
        const isCopied = share.url !== null && (await writeClipboard(share.url));
        setPublished({ share, isUpdate: replaced !== null, isCopied });
        cacheShare(share, replaced?.id);
      } catch (error) {
        if (isGone(error)) draft.renderAgain();
        // The rules or the links may have changed.
        void sharesQuery.reload();
        throw error;
      }
    });
  return {
    draft,
    options,
    setOptions,
    audience,
    setAudience: (next) => setChosen({ ...chosen, audience: next }),
    life,
    setLife: (next) => setChosen({ ...chosen, life: next }),
    expiresAt: life === null ? null : Date.now() + life * DAY,
    replaced,
    update,
    linkId,
    published,
    isSending: sending.isSending,
    failure: sending.failure,
    publish,
  };
}
