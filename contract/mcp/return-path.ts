/**
 * Path of the page to which authorisation servers send the browser. Separate from the sign-ins, because every page loads
 * it.
 */
export const TOOL_RETURN_PATH = "/mcp/return";
