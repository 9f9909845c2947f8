/** Splits texts into pages of at most `most` texts and about `maxLength` characters; at least one page. */
export function pagesOf(texts: readonly string[], most: number, maxLength: number): string[][] {
  const pages: string[][] = [[]];
  let length = 0;
  for (const text of texts) {
    let page = pages.at(-1)!;
    if (page.length > 0 && (page.length >= most || length + text.length > maxLength)) {
      page = [];
      pages.push(page);
      length = 0;
    }
    page.push(text);
    length += text.length;
  }
  return pages;
}
