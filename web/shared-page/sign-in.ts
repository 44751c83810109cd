/**
 * Opens the sign-in, which leads back to this link: it reads the path from the state of the history, in the form of the
 * application's router, so that no address can choose where a sign-in leads.
 */
export function goToSignIn(): void {
  history.pushState({ usr: { from: location.pathname } }, "", "/login");
  location.reload();
}
