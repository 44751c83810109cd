/** Name of a header of HTTP, a token of RFC 9110, section 5.6.2, with at most 100 characters. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
