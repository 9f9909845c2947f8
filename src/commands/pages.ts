export interface Page<T> {
  items: readonly T[];
  /** Counted from 1. */
  page: number;
  pages: number;
}

/** The page of a list that was asked for, or the nearest one. */
export function pageOf<T>(list: readonly T[], size: number, asked: number | null): Page<T> {
  const pages = Math.max(Math.ceil(list.length / size), 1);
  const page = Math.min(Math.max(Math.trunc(asked ?? 1), 1), pages);
  return { items: list.slice((page - 1) * size, page * size), page, pages };
}
