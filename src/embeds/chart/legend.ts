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

/** Splits a line between texts of these widths: what a short one leaves of its equal part is for the others. */
export function roomsOf(widths: readonly number[], line: number): number[] {
  const rooms = [...widths];
  let left = line;
  const shortestFirst = [...widths.keys()].toSorted((one, other) => widths[one]! - widths[other]!);
  for (const [done, index] of shortestFirst.entries()) {
    rooms[index] = Math.min(widths[index]!, left / (widths.length - done));
    left -= rooms[index];
  }
  return rooms;
}
