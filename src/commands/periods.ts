import { escaped } from '../embeds/text.ts';
import { periodName, type Period } from '../embeds/top.ts';
import type { Language } from '../locales/language.ts';
import { resolve, type Candidate } from './choices.ts';
import type { CommandContext, Reply } from './command.ts';
import type { Offered } from './interfaces/community.ts';
import { optional } from './reads.ts';
import { availableText, failureReply } from './replies.ts';

export async function readOffered({ community }: Pick<CommandContext, 'community'>): Promise<Offered> {
  return await optional(community.boards.offered(), { periods: [], weapons: [] });
}

/** The value of the option `period` for all time, which is no period: `Period` is null then. */
export const allTime = 'all';

/** What `period` can be, all time first. None without logs: then there are no periods. */
export function periodCandidates(language: Language, { periods }: Offered): Candidate[] {
  if (periods.length === 0) return [];
  const names = periods.map((period) => ({ id: period.id, name: periodName(language, period) }));
  return [{ id: allTime, name: language.t('top.allTime') }, ...names];
}

/** A period by its id, its shown name, or its kind, as the running one. Null: all time. Undefined: there is no such period. */
export function findPeriod(
  { language, pressed }: Pick<CommandContext, 'language' | 'pressed'>,
  offered: Offered,
  asked: string,
): Period | null | undefined {
  if (asked.trim() === '' || asked === allTime) return null;
  const running = offered.periods.find(({ kind, until }) => kind === asked.trim() && until === null);
  if (running !== undefined) return running;
  const match = resolve(periodCandidates(language, offered), asked, pressed);
  if (!('found' in match)) return undefined;
  return offered.periods.find(({ id }) => id === match.found.id) ?? null;
}

export function unknownPeriod(language: Language, offered: Offered, asked: string): Reply {
  const names = periodCandidates(language, offered).map(({ name }) => escaped(name));
  return failureReply(
    language,
    'inputTitle',
    language.t('failure.unknownPeriod', { period: escaped(asked) }),
    availableText(language, names, 'failure.noPeriods'),
  );
}
