import { sharePaths } from "#contract/shares/paths.ts";
import { defaultShareOptions } from "#contract/shares/shares.ts";
import type { RouteExpectation } from "./route-expectation.ts";

const signedIn = { role: "signed-in" } as const;
const share = { ...signedIn, id: "share" } as const;

/** Routes of links to chats. Any account can open a link for anyone; the copied one is for its owner only. */
export const shareRows: Readonly<Record<string, RouteExpectation>> = {
  [`GET ${sharePaths.shares}`]: { ...signedIn, status: 200 },
  [`DELETE ${sharePaths.shares}`]: { ...signedIn, status: 200 },
  [`POST ${sharePaths.drafts(":id")}`]: { ...signedIn, id: "chat", body: () => defaultShareOptions, status: 201 },
  [`POST ${sharePaths.publication(":id")}`]: {
    ...signedIn,
    id: "shareDraft",
    body: () => ({ audience: "anyone", days: 7 }),
    status: 200,
  },
  [`DELETE ${sharePaths.share(":id")}`]: { ...share, status: 204 },
  [`GET ${sharePaths.page(":id")}`]: { ...share, status: 200 },
  [`GET ${sharePaths.file(":id", ":position")}`]: { ...share, status: 200 },
  [`GET ${sharePaths.sharedPage(":token")}`]: { role: "open", status: 200 },
  [`GET ${sharePaths.sharedFile(":token", ":position")}`]: { role: "open", status: 200 },
  [`POST ${sharePaths.sharedCopy(":token")}`]: { ...signedIn, id: "closedToken", status: 200 },
};
