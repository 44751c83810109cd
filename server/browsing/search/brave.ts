import { type EngineRefusal, type EngineWire, SearchFailure, type SearchFailureCode } from "./search-engine.ts";
import { textOfMarkup } from "./text-of-markup.ts";
import { objectsAt, valueAt } from "./wire-fields.ts";

const MAX_WORDS = 50;

/** A wrong key is refused with 422, as an invalid parameter is; only the code in the body tells. */
const byCode: Readonly<Record<string, SearchFailureCode | undefined>> = {
  SUBSCRIPTION_TOKEN_INVALID: "key",
  SUBSCRIPTION_TOKEN_MISSING: "key",
  SUBSCRIPTION_NOT_FOUND: "key",
  OPTION_NOT_IN_PLAN: "key",
  QUOTA_LIMITED: "credit",
  RATE_LIMITED: "rate-limited",
};

/** Brave Search (api-dashboard.search.brave.com, "Web search" and "Rate limiting"). */
export const brave: EngineWire = {
  address: "https://api.search.brave.com",
  needsKey: true,
  request: (query, key = "") => {
    const q = query.split(/\s+/).slice(0, MAX_WORDS).join(" ");
    return {
      path: "/res/v1/web/search",
      parameters: { q, count: "20", text_decorations: "false", result_filter: "web" },
      headers: { "x-subscription-token": key },
    };
  },
  rowsOf: (json) => {
    // Without results there is no `web`.
    const results = objectsAt(json, "web", "results") ?? (valueAt(json, "type") === "search" ? [] : undefined);
    return results?.map(({ url, title, description, page_age }) => ({
      ...{ url, title: textOfMarkup(title), snippet: textOfMarkup(description), date: page_age },
    }));
  },
  failureOf: (refusal) => {
    const code = byCode[codeOf(refusal) ?? ""];
    if (code !== undefined) return new SearchFailure(code, { retryAfterSeconds: waitOf(refusal, code) });
    return refusal.status === 429 && isQuotaUsedUp(refusal)
      ? new SearchFailure("credit", { retryAfterSeconds: waitOf(refusal, "credit") })
      : undefined;
  },
};

function codeOf({ json }: EngineRefusal): string | undefined {
  const found = valueAt(json, "error", "code") ?? objectsAt(json, "errors")?.[0]?.code;
  return typeof found === "string" ? found : undefined;
}

/** `X-RateLimit-*` have a number for each window, the shortest first: of a second, and of a month. */
const windowsOf = ({ header }: EngineRefusal, name: string) =>
  (header(`x-ratelimit-${name}`) ?? "").split(",").map((each) => Number.parseInt(each, 10));

const isQuotaUsedUp = (refusal: EngineRefusal) =>
  windowsOf(refusal, "remaining")
    .slice(1)
    .some((remaining) => remaining === 0);

/** Returns the seconds until a window begins again: the shortest for a rate, the longest for the quota. */
function waitOf(refusal: EngineRefusal, code: SearchFailureCode): number | undefined {
  return code === "key" ? undefined : windowsOf(refusal, "reset").at(code === "credit" ? -1 : 0);
}
