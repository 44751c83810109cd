import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type ProviderCheck,
  type ProviderRefusal,
  providerRefusals,
  testableProviders,
} from "#contract/administration/provider-check.ts";
import { SECOND } from "#contract/limits.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../forms/use-action.ts";
import type { Failure } from "../../forms/use-sending.ts";
import { costText } from "../../locales/cost-text.ts";
import providers from "../../locales/en/providers.json";
import { registerTexts } from "../../locales/i18n.ts";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { modelName } from "../../usage/usage-words.ts";
import { administrationApi } from "../administration-api.ts";

registerTexts("providers", providers);

/** What to do about a refusal; absent: nothing is known. */
const advice: Partial<Record<ProviderRefusal, keyof typeof providers.advice>> = {
  key: "key",
  permission: "permission",
  credit: "credit",
  model: "model",
  "model-or-address": "model-or-address",
  address: "address",
  unreachable: "unreachable",
  unsuited: "unsuited",
  "no-model": "no-model",
  "no-listener": "unreachable",
  "unknown-host": "unreachable",
  "no-route": "unreachable",
  "connect-timeout": "unreachable",
  closed: "unreachable",
  certificate: "certificate",
  "certificate-expired": "certificate-expired",
  "certificate-host": "certificate-host",
  "no-tls": "no-tls",
  "not-http": "not-http",
  proxy: "proxy",
  rate: "wait",
  overloaded: "wait",
  server: "wait",
  slow: "wait",
  "broken-off": "wait",
  other: "log",
};

export type RunningTest = {
  start: () => void;
  isBusy: boolean;
  failure: Failure | null;
  result: ProviderCheck | null;
  /** Removes the result: something newer is known. */
  forget: () => void;
};

/** Tests a provider, after a proof. Leaving the page aborts the call. @param onEnd called after each test */
export function useProviderCheck(name: string, onEnd: () => void): RunningTest {
  const { run, busy, failure } = useAction<"test">();
  const [result, setResult] = useState<ProviderCheck | null>(null);
  const leaving = useRef<AbortController>(null);
  useEffect(() => {
    const aborter = new AbortController();
    leaving.current = aborter;
    return () => aborter.abort();
  }, []);
  const test = async () => {
    await run("test", async () => {
      setResult(null);
      setResult(await withProof(() => administrationApi.checkProvider(name, leaving.current?.signal)));
    });
    onEnd();
  };
  return { start: () => void test(), isBusy: busy !== null, failure, result, forget: () => setResult(null) };
}

type TestButtonProps = { test: RunningTest; provider: string };

export function TestButton({ test: { start, isBusy }, provider }: TestButtonProps) {
  const { t } = useTranslation("providers");
  return (
    <Button
      variant="secondary"
      size="small"
      busy={isBusy}
      aria-disabled={isBusy || undefined}
      aria-label={t("testLabel", { name: provider })}
      onClick={() => !isBusy && start()}
    >
      {isBusy ? t("testing") : t("test")}
    </Button>
  );
}

/** Result of the last test, with advice after a refusal. `name`: id of the connection. */
export function TestResult({ test: { failure, result }, name }: { test: RunningTest; name: string }) {
  if (failure === null && result === null) return null;
  return (
    <div className="px-4 pb-4 sm:px-5">
      <FailureBanner failure={failure} />
      {failure === null && result?.ok && <Answered result={result} />}
      {failure === null && result?.ok === false && <Refused result={result} name={name} />}
    </div>
  );
}

function Answered({ result: { model, answer, durationMs, cost } }: { result: ProviderCheck & { ok: true } }) {
  const { t, i18n } = useTranslation("providers");
  return (
    <Banner tone="success">
      <p className="break-words">
        {t("answered", { model: modelName(model), time: secondsText(durationMs, i18n.language) })}
      </p>
      {answer !== "" && <p className="break-words text-muted">{t("said", { answer })}</p>}
      {cost !== undefined && <p className="text-muted">{t("cost", { cost: costText(cost, false, i18n.language) })}</p>}
    </Banner>
  );
}

function Refused({ result, name }: { result: ProviderCheck & { ok: false }; name: string }) {
  const { t } = useTranslation("providers");
  const { model, status } = result;
  return (
    <Banner>
      <ProviderRefusalText refusal={result} host={result.host} name={name} />
      {(model !== undefined || status !== undefined) && (
        <p className="break-words text-muted">
          {model !== undefined && t("tried", { model: modelName(model) })}
          {model !== undefined && status !== undefined && " · "}
          {status !== undefined && <bdi>{httpStatus(status)}</bdi>}
        </p>
      )}
    </Banner>
  );
}

const httpStatus = (status: number) => `HTTP ${status}`;

type ProviderRefusalTextProps = {
  /** `reason`: a `ProviderRefusal`; those of newer servers have the words of `other`. */
  refusal: { reason?: string | undefined; isOwnContainer?: true | undefined };
  host: string;
  /** Id of the connection. */
  name: string;
};

/** Words for the reason of a refusal, with advice: the variable to check if the environment sets the connection. */
export function ProviderRefusalText({ refusal, host, name }: ProviderRefusalTextProps) {
  const { t } = useTranslation("providers");
  const reason = providerRefusals.find((each) => each === refusal.reason) ?? "other";
  const advised = advice[reason];
  const isFixed = testableProviders.some((each) => each === name);
  const prefix = name.toUpperCase();
  const variables = { key: `${prefix}_API_KEY`, url: `${prefix}_BASE_URL` };
  const sentences = [
    t(`refusals.${reason}`, { host }),
    advised && (isFixed || !isStoredAdvice(advised) ? t(`advice.${advised}`, variables) : t(`stored.${advised}`)),
    refusal.isOwnContainer && t("container"),
  ];
  return <p className="break-words">{sentences.filter(Boolean).join(" ")}</p>;
}

const isStoredAdvice = (key: string): key is keyof typeof providers.stored => Object.hasOwn(providers.stored, key);

/** Formats a duration, e.g. `1.2 seconds`. */
function secondsText(ms: number, locale: string): string {
  const format = { style: "unit", unit: "second", unitDisplay: "long", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(Math.max(ms, SECOND / 10) / SECOND);
}
