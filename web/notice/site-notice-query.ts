import { SITE_NOTICE_PATH, type SiteNotice, siteNoticeAnswerSchema } from "#contract/administration/site-notice.ts";
import { api } from "../api/client.ts";
import { accountQuery } from "../queries/query.ts";

export type SiteNoticeAnswer = { notice: SiteNotice | null };

/** The notice of the administrators to everybody; `notice` is null if there is none. */
export const siteNoticeQuery = accountQuery<SiteNoticeAnswer>((signal) =>
  api.get(SITE_NOTICE_PATH, siteNoticeAnswerSchema, { signal }),
);
