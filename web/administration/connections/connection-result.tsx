import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Connection } from "#contract/administration/connections.ts";
import { Button } from "../../ui/components/button.tsx";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { TestButton, TestResult, useProviderCheck } from "../overview/provider-check.tsx";
import { ListState } from "./connection-state.tsx";
import { connectionStateOf, providerIdOf } from "./connection-words.ts";

type ConnectionResultProps = {
  /** Just created. */
  connection: Connection;
  onDone: () => void;
  onTested?: () => void;
};

/** Shows whether a new connection works, with a test. Its heading takes the focus. */
export function ConnectionResult({ connection, onDone, onTested = () => {} }: ConnectionResultProps) {
  const { t } = useTranslation("connections");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const id = providerIdOf(connection);
  const test = useProviderCheck(id, onTested);
  const { name, list } = connection;
  const works = connectionStateOf(connection, test.result) === "there" && list.offered > 0;
  return (
    <div>
      <div className="flex flex-col gap-3 p-4 text-sm sm:p-5">
        <h3 ref={heading} tabIndex={-1} className="font-semibold text-base">
          {works ? t("add.works", { name }) : t("add.saved", { name })}
        </h3>
        <div className="leading-text">
          <ListState connection={connection} test={test.result} />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <TestButton test={test} provider={name} />
          <Button variant="quiet" size="small" onClick={onDone}>
            {t("add.done")}
          </Button>
          {works && (
            <Link to="/chat" className={textLink}>
              {t("add.chat")}
            </Link>
          )}
        </div>
      </div>
      <TestResult test={test} name={id} />
    </div>
  );
}
