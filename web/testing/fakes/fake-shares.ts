/** For tests: links to chats as the server reports them. */

import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import {
  defaultShareOptions,
  type Share,
  type ShareDraft,
  type ShareList,
  type ShareRules,
} from "#contract/shares/shares.ts";

/** Every audience and every life is allowed. */
export const shareRules: ShareRules = {
  audiences: ["anyone", "signed-in", "group"],
  group: "Physics",
  daysMax: null,
};

export const CREATED_AT = Date.UTC(2026, 10, 3, 12);

export function shareOf(id: string, changes: Partial<Share> = {}): Share {
  return {
    id,
    chatId: "a",
    title: "Tides",
    options: defaultShareOptions,
    createdAt: CREATED_AT,
    url: `https://parley.example/s/${id}`,
    audience: "signed-in",
    expiresAt: null,
    visits: 0,
    isPaused: false,
    ...changes,
  };
}

export const shareListOf = (shares: Share[], rules: Partial<ShareRules> = {}): ShareList => ({
  rules: { ...shareRules, ...rules },
  shares,
});

export const shareDraftOf = (id: string, changes: Partial<ShareDraft> = {}): ShareDraft => ({
  id,
  chatId: "a",
  title: "Tides",
  options: defaultShareOptions,
  createdAt: CREATED_AT,
  ...changes,
});

export const pageOf = (words: string): SharedPageAnswer => ({
  product: "Salon",
  page: {
    title: "Tides",
    createdAt: CREATED_AT,
    messages: [{ role: "user", createdAt: CREATED_AT, body: [["p", {}, words]] }],
  },
});
