import type { BrowserContext } from "@playwright/test";

/** Takes the policy off the document: what protects then is the sanitiser alone. */
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
