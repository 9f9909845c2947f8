import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';

/** What was done with a player, or is about to be. */
type RightsStep = 'hide' | 'show' | 'ask' | 'forget';

const signs = { hide: '🙈', show: '👁️', ask: '🗑️', forget: '🗑️' } as const satisfies Record<
  RightsStep,
  string
>;

/** `players`: how many stored players are meant; `byName`: a name means them. */
export function rightsEmbed(
  language: Language,
  step: RightsStep,
  { players, byName }: { players: number; byName: boolean },
): APIEmbed {
  const sentences = {
    hide: (['rights.hidden', 'rights.posted', 'rights.hiddenNext'] as const).map((key) => language.t(key)),
    show: [language.t('rights.shown')],
    ask: [language.t(players === 0 ? 'rights.askNothing' : 'rights.ask'), language.t('rights.askFinal')],
    forget: (['rights.forgotten', 'rights.posted', 'rights.otherReasons', 'rights.backups'] as const).map(
      (key) => language.t(key),
    ),
  }[step];
  const several = byName ? [language.t('rights.several', { count: players })] : [];
  return {
    title: `${signs[step]} ${language.t(`rights.title.${step}`)}`,
    description: [...several, ...sentences].join('\n'),
    color: step === 'ask' ? colours.warning : colours.unknown,
  };
}
