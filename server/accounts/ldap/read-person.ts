import { isUtf8 } from "node:buffer";
import { emailField } from "#contract/accounts/accounts.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";
import type { LdapProvider } from "../sso/ldap-provider.ts";
import { attributeTextsOf, attributeValuesOf, type DirectoryPerson } from "./authenticate.ts";

/** Attributes with bytes, of which some happen to be text too. */
const BINARY = new Set(["objectguid", "objectsid", "guid"]);
const SUBJECT_MAX = 255;

/**
 * Reads a person from their entry. The subject is the unique id, never the name, which is given to another person later.
 * An address counts as verified only where the operator says that the directory proves it.
 * @param label by which people recognise the identity
 * @returns undefined if the entry has not exactly one id
 */
export function readDirectoryPerson(
  { issuer, isEmailAuthoritative, settings }: LdapProvider,
  { entry, groups }: DirectoryPerson,
  label: string,
): ConfirmedIdentity | undefined {
  const subject = subjectOf(attributeValuesOf(entry, settings.idAttribute), settings.idAttribute);
  if (subject === undefined) return undefined;
  const email = attributeTextsOf(entry, settings.emailAttribute).find((text) => emailField().safeParse(text).success);
  const first = (attribute: string) => attributeTextsOf(entry, attribute)[0] ?? "";
  return {
    issuer,
    subject,
    label,
    ...(email !== undefined && { email }),
    isEmailVerified: email !== undefined && isEmailAuthoritative,
    name: first("displayName") || first("cn"),
    givenName: first("givenName"),
    familyName: first("sn"),
    ...(groups && { groups }),
  };
}

/** Returns the id as text, or as hex digits. */
function subjectOf(values: readonly (string | Buffer)[], attribute: string): string | undefined {
  const [value] = values;
  if (value === undefined || values.length > 1) return undefined;
  const bytes = Buffer.from(value);
  const isText = !BINARY.has(attribute.toLowerCase()) && isUtf8(bytes);
  const subject = isText ? bytes.toString("utf8") : bytes.toString("hex");
  return subject !== "" && subject.length <= SUBJECT_MAX ? subject : undefined;
}
