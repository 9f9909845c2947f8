import type { APIEmbed } from 'discord-api-types/v10';
import type { Language, TextKey } from '../locales/language.ts';
import { colours } from './branding.ts';
import { lines } from './text.ts';

/** What was done with a player; `ask`: whether to forget the player. */
type RightsStep = 'hide' | 'show' | 'ask' | 'forget';

const signs: Record<RightsStep, string> = { hide: '🙈', show: '👁️', ask: '🗑️', forget: '🗑️' };

/** What a step means. */
const sentences = {
  hide: ['rights.hidden', 'rights.posted', 'rights.hiddenNext'],
  show: ['rights.shown'],
  ask: ['rights.ask', 'rights.askFinal'],
  forget: ['rights.forgotten', 'rights.posted', 'rights.otherReasons', 'rights.backups'],
} as const satisfies Record<RightsStep, readonly TextKey[]>;

/** `players`: how many stored players are meant; `byName`: a name means them. */
export function rightsEmbed(
  language: Language,
  step: RightsStep,
  { players, byName }: { players: number; byName: boolean },
): APIEmbed {
  const texts = sentences[step].map((key) =>
    language.t(key === 'rights.ask' && players === 0 ? 'rights.askNothing' : key),
  );
  return {
    title: `${signs[step]} ${language.t(`rights.title.${step}`)}`,
    description: lines(byName && language.t('rights.several', { count: players }), texts),
    color: step === 'ask' ? colours.warning : colours.unknown,
  };
}
