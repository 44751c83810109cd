/** Further paths of the administration, apart from those in `paths.ts`, which every page loads. */

export const administrationPaths = {
  ownershipOffer: (id: string) => `/admin/accounts/${id}/ownership-offer`,
  providerTest: (name: string) => `/admin/providers/${name}/test`,
} as const;
