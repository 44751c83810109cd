/**
 * Options of GitHub Flavored Markdown in the page and in exports. One tilde strikes nothing out: in Chinese, Japanese and
 * Korean it stands between the ends of a range, as in "9~12".
 */
export const gfmOptions = { singleTilde: false } as const;
