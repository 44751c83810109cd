import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import "./ui/theme.css";
import "./locales/shell-texts.ts";
import { loadAuthConfig } from "./accounts/auth-config.ts";
import { startSession } from "./accounts/session.ts";
import { App } from "./app/app.tsx";
import { log } from "./app/log.ts";

// Zod would compile its checks with `new Function`, which the content policy forbids.
z.config({ jitless: true });

startSession();
void loadAuthConfig();

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element");
createRoot(root, {
  onCaughtError: (error) => log.error("A part of the page failed", error),
  onUncaughtError: (error) => log.error("The page failed", error),
}).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
