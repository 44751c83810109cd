/** Whether a dialog or menu is open, which handles keys itself. */
export const isOverlaid = (): boolean =>
  document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;
