import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import "./ui/appearance/theme.css";
import { loadAuthConfig } from "./accounts/auth-config.ts";
import { startSession } from "./accounts/session/session.ts";
import { App } from "./app/app.tsx";
import { startLanguage } from "./locales/language.ts";
import { log } from "./log.ts";
import { whenIdle } from "./ui/when-idle.ts";

// Zod would compile its checks with `new Function`, which the Content Security Policy forbids.
z.config({ jitless: true });

startSession();
void loadAuthConfig();

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element");
const page = createRoot(root, {
  onCaughtError: (error) => log.error("A part of the page failed", error),
  onUncaughtError: (error) => log.error("The page failed", error),
});
void startLanguage().finally(() =>
  page.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

// Deferred until the page is idle: nothing on the page depends on it.
const settleIn = async () => (await import("./app/device.ts")).settleIn();
addEventListener("load", () => whenIdle(() => void settleIn().catch(() => undefined)));
