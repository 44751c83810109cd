/** For tests: the administration as an administrator sees it, with a fake server. */

import { act, render } from "@testing-library/react";
import { MemoryRouter, Route, Routes, useLocation, useParams } from "react-router";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { loadAuthConfig } from "../accounts/auth-config.ts";
import { signIn } from "../accounts/session/session.ts";
import { isAdministrationPage } from "../administration/administration-pages.ts";
import { AdministrationScreen } from "../administration/administration-screen.tsx";
import { ada, type FakeAnswer, fakeApi, tokenFor } from "./fakes/fake-api.ts";
import { config, details } from "./open-settings.tsx";

let address = "";
/** Returns the path and query of the shown page. */
export const shownAddress = () => address;

function Shown() {
  const { page = "", account } = useParams();
  const { pathname, search } = useLocation();
  address = pathname + search;
  if (!isAdministrationPage(page)) throw new Error(`There is no page ${page}`);
  return <AdministrationScreen page={page} account={account} onTitle={() => undefined} />;
}

/** Opens a path below `/administration/`. Returns the live list of all calls, as method and path. */
export async function openAdministration(
  path: string,
  answers: Record<string, FakeAnswer | readonly FakeAnswer[]>,
  role: AccountRole = "owner",
) {
  signIn({ access_token: tokenFor("1"), user: { ...ada, role }, emailVerified: true });
  const calls = fakeApi({
    "GET /auth/config": config,
    "GET /auth/me": { json: { ...ada, role } },
    "GET /auth/account": { json: details },
    "GET /admin/groups": { json: { groups: [], choices: [] } },
    ...answers,
  });
  await loadAuthConfig();
  await act(async () => {
    render(
      <MemoryRouter initialEntries={[`/administration/${path}`]}>
        <Routes>
          <Route path="/administration/:page" element={<Shown />} />
          <Route path="/administration/:page/:account" element={<Shown />} />
        </Routes>
      </MemoryRouter>,
    );
  });
  return calls;
}
