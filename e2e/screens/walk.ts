import type { Locator, Page } from "@playwright/test";
import { API_BASE } from "#contract/http.ts";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { expect, test } from "../fixtures.ts";
import { expectAccessibleInBothLooks, expectNoOverhang } from "../looks.ts";

/** The page of a walk. `ids` replace the `:names` in addresses. */
export type Scene = { page: Page; app: TestApp; isMobile: boolean; ids: Record<string, string> };

/** A screen or a state of one; its name is the key in {@link Screens}. */
export type Screen<S extends Scene> = {
  /** Prepares data, routes and ids before the page opens. */
  before?: (scene: S) => Promise<unknown>;
  /** Address such as `/chat?c=:rich`; absent: the state follows the one above on the same page. */
  open?: string;
  /** Steps on the page that lead to the state. */
  reach?: (scene: S) => Promise<unknown>;
  /** An element that only this state shows. */
  shows: (page: Page) => Locator;
  /** Absent: both. */
  only?: "desktop" | "phone";
};

export type Screens<S extends Scene = Scene> = Readonly<Record<string, Screen<S>>>;

/** Asserts that nothing overhangs the page, and that axe finds nothing in the light and in the dark theme. */
async function expectSound(page: Page, state: string): Promise<void> {
  await expectNoOverhang(page);
  await expectAccessibleInBothLooks(page, state);
}

/** Opens each screen and checks it; `check` receives the screen's name. */
export async function walk<S extends Scene>(scene: S, screens: Screens<S>, check = expectSound): Promise<void> {
  // Many screens: against hanging only, also on a busy machine.
  test.slow();
  const kind = scene.isMobile ? "phone" : "desktop";
  for (const [name, { before, open, reach, shows, only }] of Object.entries(screens)) {
    if (only !== undefined && only !== kind) continue;
    await test.step(name, async () => {
      await before?.(scene);
      if (open !== undefined) await scene.page.goto(open.replace(/:(\w+)/g, (_, id: string) => scene.ids[id] ?? ""));
      await reach?.(scene);
      await expect(shows(scene.page).filter({ visible: true }).first(), name).toBeVisible();
      await check(scene.page, name);
    });
  }
}

/** Leaves the page's next call of a path of the API without an answer, so that a busy state lasts. */
export const leaveUnanswered = ({ page }: Pick<Scene, "page">, path: string) =>
  page.route(
    ({ pathname }) => pathname === API_BASE + path,
    () => undefined,
    { times: 1 },
  );

/** Returns the paths that screens open, without query and fragment. */
export const pathsOf = <S extends Scene>(...tables: readonly Screens<S>[]): string[] =>
  tables.flatMap((table) => Object.values(table)).flatMap(({ open }) => open?.split(/[?#]/)[0] ?? []);
