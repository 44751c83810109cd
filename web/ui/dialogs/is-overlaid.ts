/** Whether something stands over the page, which has keys of its own. */
export const isOverlaid = (): boolean =>
  document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;
