import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import type { OnlinePlayers, Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { authorOf, colours, type Branding } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { serverName } from './status.ts';
import { foreign, linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

export interface OnlineView {
  server: Pick<Server, 'id' | 'name'>;
  result: OnlinePlayers;
  receivedAt: number;
  stale: boolean;
}

/** Up to so many names stand in one column. */
const oneColumn = 12;
const columns = 3;

/** Names in alphabetical order of the language, those in which nothing is visible as a placeholder. */
function namesOf(language: Language, result: OnlinePlayers): string[] {
  const order = new Intl.Collator(language.locale, { sensitivity: 'base', numeric: true });
  return result.players
    .map((player) => player.name)
    .toSorted(order.compare)
    .map((name) => foreign(name, textLimits.name) || language.t('player.nameless'));
}

function nameFields(language: Language, names: readonly string[]): APIEmbedField[] {
  const more = (count: number) => language.t('more', { count });
  const title = language.t('online.names');
  if (names.length <= oneColumn) {
    return [{ name: title, value: linesWithin(names, embedLimits.fieldValue, more) }];
  }
  const height = Math.ceil(names.length / columns);
  return Array.from({ length: columns }, (_, column) => ({
    name: column === 0 ? title : '\u200b',
    value: linesWithin(names.slice(column * height, (column + 1) * height), embedLimits.fieldValue, more),
    inline: true,
  }));
}

function sentences(language: Language, result: OnlinePlayers): string[] {
  const { online, listedPlayers, incompletePlayers, players } = result;
  const lines: string[] = [];
  if (online === null && listedPlayers === 0) return [language.t('online.countUnknown')];
  if (online === 0 && listedPlayers === 0) return [language.t('online.nobody')];
  if (online === null) lines.push(language.t('online.countUnknown'));
  if (players.length === 0) lines.push(language.t('online.noNames'));
  if (online !== null && online !== listedPlayers && listedPlayers > 0) {
    lines.push(
      language.t('online.differs', {
        online: language.number(online),
        listed: language.number(listedPlayers),
      }),
    );
  }
  if (incompletePlayers > 0 && players.length > 0) {
    lines.push(language.t('online.incomplete', { count: incompletePlayers }));
  }
  return lines;
}

/** Who is on a server: names where the query gives them, and every difference between count and list said. */
export function onlineEmbed(language: Language, branding: Branding | null, view: OnlineView): APIEmbed {
  const { result } = view;
  const count = result.online ?? result.listedPlayers;
  const asked = language.t('online.asked', { when: relative(result.observedAt) });
  const known = result.online !== null || result.listedPlayers > 0;
  const head = known ? `${language.t('online.count', { count })} · ${asked}` : asked;
  const names = namesOf(language, result);
  return {
    ...authorOf(branding),
    title: `👥 ${language.t('online.title', { server: serverName(view.server) })}`,
    description: [
      head,
      ...sentences(language, result),
      ...(view.stale ? [language.t('stale', { when: relative(view.receivedAt) })] : []),
    ].join('\n'),
    color: view.stale ? colours.warning : count > 0 ? colours.online : colours.unknown,
    ...(names.length > 0 && { fields: nameFields(language, names) }),
  };
}
