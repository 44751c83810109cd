import * as z from "zod/mini";
import { isNetwork } from "#contract/administration/installation.ts";
import { HEADER_NAME } from "#contract/header-name.ts";
import { oneOf } from "../variable-schemas.ts";
import { groupRules, type MappingRule, readMappingRules, roleRules } from "./mapping-rules.ts";
import { providerName } from "./oidc-variables.ts";

/** Sign-in by headers that a proxy sets after it has authenticated a person. Names of headers are in lower case. */
export type TrustedHeaderSettings = Readonly<{
  /** Name of the provider, which people read. */
  name: string;
  /** Header whose value identifies the person. */
  header: string;
  emailHeader?: string;
  nameHeader?: string;
  /** Header with the groups of the person, separated by commas. */
  groupsHeader?: string;
  groupRules: readonly MappingRule[];
  roleRules: readonly MappingRule[];
  isEmailAuthoritative: boolean;
}>;

/** Headers that a browser or a server sets by itself. */
const ordinary =
  /^(?:accept.*|authorization|connection|content-.*|cookie|forwarded|host|origin|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-(?:for|host|port|proto)|x-real-ip)$/i;

const headerName = z.string().check(
  z.refine((value) => HEADER_NAME.test(value) && !ordinary.test(value), {
    error: "must be the name of a header that only the proxy sets, such as X-Remote-User",
  }),
);

export const headerVariables = {
  TRUSTED_HEADER: headerName,
  TRUSTED_HEADER_EMAIL: headerName,
  TRUSTED_HEADER_NAME: headerName,
  TRUSTED_HEADER_GROUPS: headerName,
  TRUSTED_HEADER_LABEL: providerName,
  TRUSTED_HEADER_GROUP_RULES: groupRules,
  TRUSTED_HEADER_ROLE_RULES: roleRules,
  TRUSTED_HEADER_EMAIL_AUTHORITATIVE: oneOf("true", "false"),
} as const;

type HeaderValues = Readonly<Partial<Record<keyof typeof headerVariables, string | undefined>>>;

/** Returns the sign-in by header of the environment; undefined without one. */
export function trustedHeaderOf(values: HeaderValues): TrustedHeaderSettings | undefined {
  const { TRUSTED_HEADER: header } = values;
  if (header === undefined) return undefined;
  const emailHeader = values.TRUSTED_HEADER_EMAIL?.toLowerCase();
  const nameHeader = values.TRUSTED_HEADER_NAME?.toLowerCase();
  const groupsHeader = values.TRUSTED_HEADER_GROUPS?.toLowerCase();
  return {
    name: values.TRUSTED_HEADER_LABEL ?? header,
    header: header.toLowerCase(),
    ...(emailHeader !== undefined && { emailHeader }),
    ...(nameHeader !== undefined && { nameHeader }),
    ...(groupsHeader !== undefined && { groupsHeader }),
    groupRules: readMappingRules(values.TRUSTED_HEADER_GROUP_RULES ?? "") ?? [],
    roleRules: readMappingRules(values.TRUSTED_HEADER_ROLE_RULES ?? "") ?? [],
    isEmailAuthoritative: values.TRUSTED_HEADER_EMAIL_AUTHORITATIVE === "true",
  };
}

/** Returns the problem of a trusted header without the addresses of the proxies that may send it. */
export function headerProblems(values: HeaderValues & { TRUST_PROXY?: string | undefined }): string[] {
  const { TRUSTED_HEADER: header, TRUST_PROXY: proxies = "false" } = values;
  const isNarrow = (range: string) => isNetwork(range.trim());
  if (header === undefined || proxies.split(",").every(isNarrow)) return [];
  return [
    "TRUST_PROXY must be the addresses of the proxies with TRUSTED_HEADER, no range wider than /8 (IPv6: /7): every " +
      "other sender could name any person",
  ];
}
