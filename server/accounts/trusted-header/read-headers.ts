import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { emailField } from "#contract/accounts/accounts.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";
import type { HeaderProvider } from "../sso/header-provider.ts";

const SUBJECT_MAX = 254;
const GROUPS_MAX = 2000;

/**
 * Reads the person of a request that a trusted proxy has sent. The subject is the value of the header as it stands.
 * @returns undefined if a header has several values, as when the proxy adds its own to one of the client; or if the one
 * of the person is missing, empty or too long
 */
export function readHeaders(
  { issuer, isEmailAuthoritative, settings }: HeaderProvider,
  request: IncomingMessage,
): ConfirmedIdentity | undefined {
  const { header, emailHeader, nameHeader, groupsHeader } = settings;
  const [subject, address, name, groups] = [header, emailHeader, nameHeader, groupsHeader].map((one) =>
    one === undefined ? "" : readHeader(request, one),
  );
  if (!subject || subject.length > SUBJECT_MAX) return undefined;
  if (address === undefined || name === undefined || groups === undefined) return undefined;
  const email = emailField().safeParse(address);
  return {
    issuer,
    subject,
    label: subject,
    ...(email.success && { email: email.data }),
    isEmailVerified: email.success && isEmailAuthoritative,
    name: name || (subject.split("@", 1)[0] ?? ""),
    givenName: "",
    familyName: "",
    // Proxies leave empty headers out: without it the person has no groups.
    ...(groupsHeader !== undefined && { groups: groupsIn(groups) }),
  };
}

/** Returns the value of a header, in UTF-8; empty without one; undefined if it has several or is not UTF-8. */
function readHeader({ headersDistinct }: IncomingMessage, name: string): string | undefined {
  const values = headersDistinct[name] ?? [];
  if (values.length > 1) return undefined;
  // Node decodes headers as Latin-1.
  const bytes = Buffer.from(values[0] ?? "", "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8").trim() : undefined;
}

function groupsIn(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "").slice(0, GROUPS_MAX);
}
