/** Forms of the issuers of well-known providers, for the form. Words in capitals are to be replaced. */
export const issuerForms = [
  { id: "entra", name: "Microsoft Entra ID", issuer: "https://login.microsoftonline.com/TENANT-ID/v2.0" },
  { id: "google", name: "Google Workspace", issuer: "https://accounts.google.com" },
  { id: "keycloak", name: "Keycloak", issuer: "https://HOST/realms/REALM" },
  { id: "authentik", name: "authentik", issuer: "https://HOST/application/o/SLUG/" },
  { id: "zitadel", name: "ZITADEL", issuer: "https://HOST" },
] as const;

/** Form of the issuer of any other provider. */
export const OTHER_ISSUER = "https://login.example.org";
