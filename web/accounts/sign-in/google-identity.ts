/** Google Identity Services: the only third-party script, loaded only if Google sign-in is configured. */

const SCRIPT_URL = "https://accounts.google.com/gsi/client";

export type ButtonOptions = {
  type: "standard";
  theme: "outline" | "filled_black";
  size: "large";
  text: "signin_with" | "continue_with";
  shape: "rectangular";
  logo_alignment: "center";
  /** In CSS pixels, at most 400. */
  width: number;
};

type InitOptions = {
  client_id: string;
  nonce: string;
  ux_mode: "popup";
  auto_select: false;
  callback: (answer: { credential?: string }) => void;
};

export type GoogleIdentity = {
  initialize: (options: InitOptions) => void;
  renderButton: (parent: HTMLElement, options: ButtonOptions) => void;
};

type ScriptUrlPolicy = { createScriptURL: (url: string) => string };

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleIdentity } };
    trustedTypes?: { createPolicy: (name: string, rules: ScriptUrlPolicy) => ScriptUrlPolicy };
  }
}

let loading: Promise<GoogleIdentity> | null = null;

/** Loads the script once; rejects if that fails, and then retries at the next call. */
export function loadGoogleIdentity(): Promise<GoogleIdentity> {
  loading ??= load().catch((cause: unknown) => {
    loading = null;
    throw cause;
  });
  return loading;
}

async function load(): Promise<GoogleIdentity> {
  const script = document.createElement("script");
  script.src = trustedScriptUrl();
  script.async = true;
  await new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("Google's script could not be loaded")));
    document.head.append(script);
  }).catch((cause: unknown) => {
    script.remove();
    throw cause;
  });
  const identity = window.google?.accounts?.id;
  if (!identity) throw new Error("Google's script brought no sign-in");
  return identity;
}

/** Returns the script's URL. Trusted Types require a policy for script URLs; this one allows a single URL. */
function trustedScriptUrl(): string {
  const rules: ScriptUrlPolicy = { createScriptURL: () => SCRIPT_URL };
  return (window.trustedTypes?.createPolicy("parley-google", rules) ?? rules).createScriptURL(SCRIPT_URL);
}
