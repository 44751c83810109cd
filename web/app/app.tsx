import { Direction } from "radix-ui";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { TOOL_RETURN_PATH } from "#contract/mcp/return-path.ts";
import { SHARE_LINK_PATH } from "#contract/shares/paths.ts";
import { currentSession, subscribeSession, useSession } from "../accounts/session/session.ts";
import type { SignInState } from "../accounts/sign-in/path-after-sign-in.ts";
import { loadPageTexts, useLanguage } from "../locales/language.ts";
import { isRightToLeft } from "../locales/supported-languages.ts";
import { Spinner } from "../ui/components/spinner.tsx";
import { useDelayed } from "../ui/components/use-delayed.ts";
import { clearNotifications } from "../ui/notifications/notify.ts";
import { Toaster } from "../ui/notifications/toaster.tsx";
import { BrowserRouter } from "./browser-router.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { SessionLostRedirect } from "./session-lost-redirect.tsx";
import { Titled } from "./titled.tsx";
import { TooltipMount } from "./tooltip-mount.tsx";

/** Loads a page behind the sign-in together with its texts in the page's language. */
const withTexts = async <Page,>(load: Promise<Page>): Promise<Page> => (await Promise.all([load, loadPageTexts()]))[0];

const loadChatPage = () => withTexts(import("./chat-page.tsx"));

const loadLoginScreen = async () => ({ default: (await import("../accounts/sign-in/login-screen.tsx")).LoginScreen });
const LoginScreen = lazy(loadLoginScreen);
const RegisterScreen = lazy(async () => ({
  default: (await import("../accounts/registration/register-screen.tsx")).RegisterScreen,
}));
const VerifyEmailScreen = lazy(async () => {
  const { VerifyEmailScreen: screen } = await import("../accounts/registration/verify-email-screen.tsx");
  return { default: screen };
});
const ForgotPasswordScreen = lazy(async () => {
  const { ForgotPasswordScreen: screen } = await import("../accounts/recovery/forgot-password-screen.tsx");
  return { default: screen };
});
const SsoScreen = lazy(() => import("../accounts/sso-return/sso-screen.tsx"));
const ToolReturnScreen = lazy(() => withTexts(import("../settings/tool-return/tool-return-screen.tsx")));
const ResetPasswordScreen = lazy(async () => {
  const { ResetPasswordScreen: screen } = await import("../accounts/recovery/reset-password-screen.tsx");
  return { default: screen };
});
const ConfirmEmailScreen = lazy(async () => {
  const { ConfirmEmailScreen: screen } = await import("../accounts/recovery/email-link-screens.tsx");
  return { default: screen };
});
const UndoEmailScreen = lazy(async () => {
  const { UndoEmailScreen: screen } = await import("../accounts/recovery/email-link-screens.tsx");
  return { default: screen };
});
const LoseFactorScreen = lazy(async () => {
  const { LoseFactorScreen: screen } = await import("../accounts/recovery/email-link-screens.tsx");
  return { default: screen };
});
const KeepFactorScreen = lazy(async () => {
  const { KeepFactorScreen: screen } = await import("../accounts/recovery/email-link-screens.tsx");
  return { default: screen };
});
const ChatPage = lazy(loadChatPage);
const SettingsPage = lazy(() => withTexts(import("./settings-page.tsx")));
const BecomeOwnerScreen = lazy(() => withTexts(import("../administration/become-owner-screen.tsx")));
const AdministrationPage = lazy(() => withTexts(import("./administration-page.tsx")));

const LinkPage = lazy(() => import("./link-page.tsx"));
const AccessibilityPage = lazy(() => withTexts(import("../access/accessibility-page.tsx")));

/** Preload lazy modules; if that fails, the page itself retries and reports the failure. */
const preloadChat = () => void loadChatPage().catch(() => undefined);
const preloadLogin = () => void loadLoginScreen().catch(() => undefined);

export function App() {
  const { language } = useLanguage();
  return (
    <ErrorBoundary>
      <Direction.Provider dir={isRightToLeft(language) ? "rtl" : "ltr"}>
        <BrowserRouter>
          <SessionLostRedirect />
          <Suspense fallback={<PageLoading />}>
            <AppRoutes />
          </Suspense>
          <Notices />
          <TooltipMount />
        </BrowserRouter>
      </Direction.Provider>
    </ErrorBoundary>
  );
}

export function AppRoutes() {
  return (
    <Routes>
      <Route path="/" element={<Navigate to="/chat" replace />} />
      <Route element={<Titled page="login" />}>
        <Route path="/login" element={<LoginScreen onSubmitting={preloadChat} />} />
        <Route path="/sso/:provider" element={<SsoScreen />} />
        <Route path={`${SHARE_LINK_PATH}:token`} element={<LinkPage />} />
      </Route>
      <Route element={<Titled page="register" />}>
        <Route path="/register" element={<RegisterScreen />} />
      </Route>
      <Route element={<Titled page="verifyEmail" />}>
        <Route path="/verify-email" element={<VerifyEmailScreen />} />
      </Route>
      <Route element={<Titled page="forgotPassword" />}>
        <Route path="/forgot-password" element={<ForgotPasswordScreen />} />
      </Route>
      <Route element={<Titled page="resetPassword" />}>
        <Route path="/reset-password" element={<ResetPasswordScreen />} />
      </Route>
      <Route element={<Titled page="confirmEmail" />}>
        <Route path="/confirm-email" element={<ConfirmEmailScreen />} />
      </Route>
      <Route element={<Titled page="undoEmail" />}>
        <Route path="/undo-email" element={<UndoEmailScreen />} />
      </Route>
      <Route element={<Titled page="lostFactor" />}>
        <Route path="/lose-factor" element={<LoseFactorScreen />} />
        <Route path="/keep-factor" element={<KeepFactorScreen />} />
      </Route>
      {/* Not behind the sign-in, which would pass on the code in the address. */}
      <Route element={<Titled page="settings" />}>
        <Route path={TOOL_RETURN_PATH} element={<ToolReturnScreen />} />
      </Route>
      <Route element={<RequireAuth onIdle={preloadLogin} />}>
        <Route element={<Titled page="chat" />}>
          <Route path="/chat" element={<ChatPage />} />
        </Route>
        <Route element={<Titled page="settings" />}>
          <Route path="/settings" element={<Navigate to="/settings/account" replace />} />
          <Route path="/settings/:section" element={<SettingsPage />} />
        </Route>
        <Route element={<Titled page="administration" />}>
          <Route path="/become-owner" element={<BecomeOwnerScreen />} />
          <Route path="/administration" element={<Navigate to="/administration/overview" replace />} />
          <Route path="/administration/:page" element={<AdministrationPage />} />
          <Route path="/administration/:page/:account" element={<AdministrationPage />} />
        </Route>
      </Route>
      <Route element={<Titled page="accessibility" />}>
        <Route path="/accessibility" element={<AccessibilityPage />} />
      </Route>
      <Route element={<Titled page="notFound" />}>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}

/** Notifications of every page. They may contain chat titles and addresses, so they are cleared with their session. */
function Notices() {
  useEffect(() => {
    let { token } = currentSession();
    return subscribeSession(() => {
      const before = token;
      token = currentSession().token;
      if (token !== before) clearNotifications();
    });
  }, []);
  return <Toaster />;
}

/** Shown while a page's lazy module loads; empty at first, so that a fast load does not flicker. */
function PageLoading() {
  const { t } = useTranslation("app");
  const isShown = useDelayed(150);
  if (!isShown) return null;
  return (
    <div role="status" className="flex min-h-dvh animate-fade items-center justify-center gap-2 text-muted text-sm">
      <Spinner />
      {t("loading")}
    </div>
  );
}

const SETTLED_AFTER_MS = 2000;

/**
 * Renders the routes for a signed-in person; others sign in first and then continue to the requested page.
 * @param onIdle called once a signed-in page is idle: preloads sign-in, because sign-out must work offline
 */
function RequireAuth({ onIdle }: { onIdle: () => void }) {
  const { isSignedIn, ended } = useSession();
  useEffect(() => {
    if (!isSignedIn) return;
    const timer = setTimeout(onIdle, SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isSignedIn, onIdle]);
  const { pathname, search, hash } = useLocation();
  if (isSignedIn) return <Outlet />;
  // After a sign-out no path is passed on: the next person must not be sent to the last one's chat.
  const state: SignInState | null = ended === "signed-out" ? null : { from: pathname + search + hash };
  return <Navigate to="/login" replace state={state} />;
}
