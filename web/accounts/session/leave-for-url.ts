/** Opens an address of a provider in place of this page. An address of another scheme could run a script. */
export function leaveForUrl(url: string): void {
  if (!/^https?:$/.test(new URL(url).protocol)) throw new Error("The provider’s address is not one of the web");
  window.location.assign(url);
}
