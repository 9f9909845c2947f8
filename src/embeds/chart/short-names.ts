/** Removes the words that all names start with. Servers of one community are often called `Northwood | …`. */
export function shortNames(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  if (others.length === 0) return [...names];
  let end = 0;
  while (end < first.length && others.every((name) => name[end] === first[end])) end += 1;
  const words = first.slice(0, end).lastIndexOf(' ') + 1;
  const short = names.map((name) => name.slice(words).trim());
  return short.every((name) => name !== '') ? short : [...names];
}
