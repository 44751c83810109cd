import type { BrowserContext } from "@playwright/test";

/** Removes the content security policy from documents, so that only the sanitiser protects. */
export async function withoutPolicy(context: BrowserContext): Promise<void> {
  await context.route(
    ({ pathname }) => pathname === "/chat",
    async (route) => {
      const response = await route.fetch();
      const { "content-security-policy": _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    },
  );
}
