import { describe, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { SsoBrowser, startSsoApp } from "../../../testing/sso/sso-app.ts";

const sso = disposeAfterAll(await startSsoApp());

const ada = { sub: "ada-1", email: "ada@example.org", email_verified: true, name: "Ada Lovelace" };

describe("a sign-in by OpenID Connect", () => {
  it("creates an account at the first sign-in, which later ones find by issuer and subject", async () => {
    const first = await new SsoBrowser(sso, ada).signInBySso();
    const { user } = signedInSchema.parse(await first.json());
    expect(user).toMatchObject({
      email: "ada@example.org",
      firstname: "Ada",
      lastname: "Lovelace",
      emailVerified: true,
    });
    const renamed = { ...ada, email: "ada@example.com", name: "Ada King" };
    const second = await new SsoBrowser(sso, renamed).signInBySso();
    expect(signedInSchema.parse(await second.json()).user.id).toBe(user.id);
  });
});
