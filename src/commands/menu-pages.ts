import type { APISelectMenuOption } from 'discord.js';
import { plain } from '../embeds/text.ts';
import type { Language } from '../locales/language.ts';

/** Discord's limit for the options of a menu. */
const mostOptions = 25;
/** In a longer list, two options of each menu page lead to the previous and next page. */
const choicesPerPage = mostOptions - 2;

export interface MenuChoice {
  label: string;
  value: string;
  description?: string;
  emoji?: string;
}

interface MenuPage {
  /** At most 25: the choices of the page, and the options for the previous and next page. */
  options: APISelectMenuOption[];
  /** How many options are choices, which is `max_values` of a multi-select menu. */
  choices: number;
}

/** The part of a list that fits into one menu or embed. Pages start at 1. */
export interface Page<T> {
  items: readonly T[];
  page: number;
  pages: number;
  /** Index of the first item in the list. */
  start: number;
}

/** The requested page of a list, or the nearest existing one. */
export function pageOf<T>(list: readonly T[], asked: number | null): Page<T> {
  const size = list.length <= mostOptions ? mostOptions : choicesPerPage;
  const pages = Math.max(Math.ceil(list.length / size), 1);
  const page = Math.min(Math.max(asked ?? 1, 1), pages);
  const start = (page - 1) * size;
  return { items: list.slice(start, start + size), page, pages, start };
}

/** The page of the first item that matches; null if there is none. */
export function pageHolding<T>(list: readonly T[], matches: (item: T) => boolean): number | null {
  const index = list.findIndex(matches);
  if (index < 0) return null;
  return list.length <= mostOptions ? 1 : Math.floor(index / choicesPerPage) + 1;
}

/** The value of an option that turns the page. `current` is the previous choice. Ids contain no `>`. */
const turnTo = (page: number, current: string | null): string => `>${page} ${current ?? ''}`;
const turnPattern = /^>([1-9][0-9]{0,3}) (.*)$/;

/** One page of a menu. Default: the page of `current`. */
export function menuPage(
  language: Language,
  choices: readonly MenuChoice[],
  { page, current = null }: { page?: number | null; current?: string | null },
): MenuPage {
  const shown = pageOf(choices, page ?? pageHolding(choices, ({ value }) => value === current));
  const turn = (
    to: number,
    label: 'button.previous' | 'button.next',
    emoji: string,
  ): APISelectMenuOption[] => {
    if (to < 1 || to > shown.pages) return [];
    const { start, items } = pageOf(choices, to);
    const [from, until, total] = [start + 1, start + items.length, choices.length].map((place) =>
      language.number(place),
    );
    const text = `${language.t(label)} · ${from}–${until} / ${total}`;
    return [{ label: text, value: turnTo(to, current), emoji: { name: emoji } }];
  };
  return {
    options: [
      ...turn(shown.page - 1, 'button.previous', '◀️'),
      ...shown.items.map(({ label, value, description, emoji }) => ({
        label: plain(label, 100) || value,
        value,
        ...(description !== undefined && { description: plain(description, 100) }),
        ...(value === current && { default: true }),
        ...(emoji !== undefined && { emoji: { name: emoji } }),
      })),
      ...turn(shown.page + 1, 'button.next', '▶️'),
    ],
    choices: shown.items.length,
  };
}

/** Parses an option that turns the page; null if there is none. `current` is empty if nothing was chosen before. */
export function menuTurn(values: readonly string[]): { page: number; current: string } | null {
  for (const value of values) {
    const [, page, current] = turnPattern.exec(value) ?? [];
    if (page !== undefined && current !== undefined) return { page: Number(page), current };
  }
  return null;
}
