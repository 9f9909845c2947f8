import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { code } from './text.ts';

/** A member has linked themselves to a player. */
export function linkedEmbed(language: Language, identifier: string): APIEmbed {
  return {
    title: `📍 ${language.t('link.linkedTitle')}`,
    description: [
      language.t('link.linked', { identifier: code(identifier) }),
      language.t('link.linkedNext'),
    ].join('\n'),
    color: colours.online,
  };
}

/** A member has removed the link. */
export function unlinkedEmbed(language: Language): APIEmbed {
  return {
    title: `📍 ${language.t('link.unlinkedTitle')}`,
    description: language.t('link.unlinked'),
    color: colours.unknown,
  };
}
