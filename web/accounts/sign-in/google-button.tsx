import { useEffect, useRef, useState } from "react";
import { MINUTE } from "#contract/limits.ts";
import { log } from "../../log.ts";
import { cx } from "../../ui/components/cx.ts";
import { Spinner } from "../../ui/components/spinner.tsx";
import { loadAuthConfig, useAuthConfig } from "../auth-config.ts";
import { type ButtonOptions, type GoogleIdentity, loadGoogleIdentity } from "./google-identity.ts";

/** The server's nonces expire after ten minutes. */
const NEW_NONCE_AFTER_MS = 9 * MINUTE;
const GOOGLE_WIDEST = 400;

/** Nonces of earlier mounts: used, or about to expire. */
const staleNonces = new Set<string>();

export type GoogleButtonProps = {
  text: ButtonOptions["text"];
  /** Text in place of the button while the token is being verified. */
  busyText: string;
  /** Text in place of the button if Google's script cannot be loaded. */
  missingText: string;
  /** Receives Google's id_token, which is valid only once. Must not throw. */
  onToken: (idToken: string) => Promise<void>;
};

/** Google's own button; renders nothing if the server has no client id. */
export function GoogleButton(props: GoogleButtonProps) {
  const { googleClientId, googleNonce } = useAuthConfig();
  const isStale = googleNonce !== undefined && staleNonces.has(googleNonce);
  useEffect(() => {
    if (isStale) void loadAuthConfig();
  }, [isStale]);
  if (!googleClientId || !googleNonce) return null;
  return <DrawnButton clientId={googleClientId} nonce={isStale ? null : googleNonce} {...props} />;
}

/** Renders an empty box while the nonce is null, which means that a new one is loading. */
function DrawnButton(props: GoogleButtonProps & { clientId: string; nonce: string | null }) {
  const { clientId, nonce, text, busyText, missingText } = props;
  const { identity, isMissing } = useGoogleIdentity();
  const [isBusy, setBusy] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const onToken = useRef(props.onToken);
  useEffect(() => {
    onToken.current = props.onToken;
  });

  useEffect(() => {
    if (nonce === null) return;
    const timer = setTimeout(() => void loadAuthConfig(), NEW_NONCE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      staleNonces.add(nonce);
    };
  }, [nonce]);

  useEffect(() => {
    if (!identity || nonce === null || !container.current) return;
    const callback = async ({ credential }: { credential?: string }) => {
      if (!credential) return;
      setBusy(true);
      await onToken.current(credential);
      setBusy(false);
    };
    identity.initialize({ client_id: clientId, nonce, ux_mode: "popup", auto_select: false, callback });
    container.current.replaceChildren();
    identity.renderButton(container.current, buttonOptions(container.current, text));
  }, [identity, clientId, nonce, text]);

  if (isMissing) return <p className="text-muted text-sm">{missingText}</p>;
  return (
    <div className="grid min-h-11">
      {/* Stays mounted while invisible: a button that is rendered again meanwhile takes its width from it. */}
      <div
        ref={container}
        className={cx(
          "col-start-1 row-start-1 flex justify-center overflow-hidden rounded-control scheme-light",
          isBusy && "invisible",
        )}
      />
      {isBusy && (
        <p role="status" className="col-start-1 row-start-1 flex items-center justify-center gap-2 text-muted text-sm">
          <Spinner />
          {busyText}
        </p>
      )}
    </div>
  );
}

function useGoogleIdentity(): { identity: GoogleIdentity | null; isMissing: boolean } {
  const [identity, setIdentity] = useState<GoogleIdentity | null>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isGone = false;
    loadGoogleIdentity().then(
      (loaded) => {
        if (!isGone) setIdentity(loaded);
      },
      (cause: unknown) => {
        log.warn("The Google button is missing", cause);
        if (!isGone) setMissing(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, []);
  return { identity, isMissing };
}

function buttonOptions(container: HTMLElement, text: ButtonOptions["text"]): ButtonOptions {
  const { theme } = document.documentElement.dataset;
  const isDark = theme ? theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  return {
    type: "standard",
    theme: isDark ? "filled_black" : "outline",
    size: "large",
    text,
    shape: "rectangular",
    logo_alignment: "center",
    width: Math.min(container.clientWidth, GOOGLE_WIDEST),
  };
}
