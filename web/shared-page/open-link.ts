import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import type { Language } from "../locales/supported-languages.ts";
import { isRightToLeft } from "../locales/supported-languages.ts";
import { wantedLanguage } from "../locales/wanted-language.ts";
import { continueAction } from "./continue-action.ts";
import { fillIn } from "./page/fill-in.ts";
import { fillPage } from "./page/fill-page.ts";
import { loadSharedPageTexts, type SharedPageTexts } from "./page/page-texts.ts";
import { announceLoading, showScreen, waitWords } from "./screens.ts";
import {
  isSessionOver,
  isSignedIn,
  readSharedFile,
  readSharedPage,
  type SharedFailure,
  tokenOf,
} from "./shared-api.ts";
import { goToSignIn } from "./sign-in.ts";

type Link = { root: HTMLElement; token: string | null; texts: SharedPageTexts; language: Language };

/**
 * Shows the page of the link in the address, in the language of the reader, or why there is none. Rejects if the texts of
 * the language cannot be loaded.
 */
export async function openLink(root: HTMLElement): Promise<void> {
  const language = wantedLanguage();
  document.documentElement.lang = language;
  document.documentElement.dir = isRightToLeft(language) ? "rtl" : "ltr";
  addEventListener("pageshow", reloadIfRestored);
  const token = tokenOf(location.pathname);
  const reading = read(token);
  const texts = await loadSharedPageTexts(language);
  announceLoading(root, texts);
  await show({ root, token, texts, language }, await reading);
}

/** Reloads a page of the back/forward cache: its link may have ended, and its copy has. */
function reloadIfRestored({ persisted }: PageTransitionEvent): void {
  if (persisted) location.reload();
}

const read = async (token: string | null): Promise<SharedPageAnswer | SharedFailure> =>
  token === null ? { kind: "gone" } : readSharedPage(token);

async function show(link: Link, outcome: SharedPageAnswer | SharedFailure): Promise<void> {
  const { root, texts, language } = link;
  if ("page" in outcome) return showPage(link, outcome);
  if (outcome.kind === "gone") return showGone(link);
  if (outcome.kind === "busy") {
    const wait = waitWords(outcome.waitMs, language);
    showScreen(root, language, { title: fillIn(texts.screen.busy, { wait }, language), isWaiting: true });
    setTimeout(() => void retry(link), outcome.waitMs);
    return;
  }
  const { unreachable, unreachableText, unexpected, unexpectedText } = texts.screen;
  const [title, text] = outcome.kind === "unreachable" ? [unreachable, unreachableText] : [unexpected, unexpectedText];
  showScreen(root, language, { title, text, button: { text: texts.screen.retry, act: () => void retry(link) } });
}

async function retry(link: Link): Promise<void> {
  const { root, texts, language, token } = link;
  showScreen(root, language, { title: texts.screen.loading, isWaiting: true });
  await show(link, await read(token));
}

/** The same words for a link that never was, has ended or is for others: the server's answer does not tell which. */
async function showGone({ root, texts, language }: Link): Promise<void> {
  const { gone, goneSignedIn, goneSignedOut, signIn } = texts.screen;
  const isReader = isSignedIn() && !(await isSessionOver());
  showScreen(root, language, {
    title: gone,
    text: isReader ? goneSignedIn : goneSignedOut,
    ...(!isReader && { button: { text: signIn, act: goToSignIn } }),
  });
}

function showPage({ root, token, texts, language }: Link, answer: SharedPageAnswer): void {
  if (token === null) return;
  const action = isSignedIn() ? continueAction(token, { texts, language }) : undefined;
  const readFile = (position: number) => readSharedFile(token, position, answer.page.createdAt);
  fillPage(root, { answer, texts, language, readFile, ...(action && { action }) });
  root.setAttribute("aria-busy", "false");
  document.title = answer.page.title;
}
