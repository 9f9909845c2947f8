import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { embedLimits } from './limits.ts';
import { serverName } from './status.ts';
import { code, escaped, linesWithin } from './text.ts';
import { date } from './timestamps.ts';

/** A server that a member added in Discord. Its texts come from members: escape them. */
export interface AddedServer {
  id: string;
  name: string;
  /** The game's name. */
  game: string;
  host: string;
  port: number;
  /** Null: it follows from `port`. */
  queryPort: number | null;
  /** Discord id of the member. */
  addedBy: string;
  /** Epoch milliseconds. */
  addedAt: number;
}

/** What a server answered to its first query; null: the answer lacks it. */
export interface FirstAnswer {
  players: number | null;
  maxPlayers: number | null;
  map: string | null;
}

/** `12 / 60 · chernarusplus`; empty: the answer says neither. */
function factsOf(language: Language, { players, maxPlayers, map }: FirstAnswer): string {
  const counts = [players, maxPlayers].filter((count) => count !== null && players !== null);
  const facts = [counts.map((count) => language.number(count ?? 0)).join(' / '), escaped(map ?? '', 60)];
  return facts.filter((fact) => fact !== '').join(' · ');
}

/** @param answer null: the server did not answer its first query */
export function serverAddedEmbed(
  language: Language,
  server: AddedServer,
  answer: FirstAnswer | null,
): APIEmbed {
  const facts = answer === null ? '' : factsOf(language, answer);
  return {
    title: `${answer === null ? '⚠️' : '✅'} ${language.t('server.addedTitle')}`,
    description: [
      language.t('server.added', { server: serverName(server) }),
      answer === null
        ? language.t('server.noAnswer')
        : facts === ''
          ? language.t('server.answeredBare')
          : language.t('server.answered', { facts }),
      language.t('server.addedNext'),
    ].join('\n'),
    color: answer === null ? colours.warning : colours.online,
  };
}

export function serverRemovedEmbed(language: Language, server: AddedServer): APIEmbed {
  return {
    title: `✅ ${language.t('server.removedTitle')}`,
    description: language.t('server.removed', { server: serverName(server) }),
    color: colours.online,
  };
}

function addressOf({ host, port, queryPort }: AddedServer): string {
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return code(queryPort === null || queryPort === port ? address : `${address} (${queryPort})`, 300);
}

/** The servers that members added. The answer with it has to be private: it names addresses. */
export function addedServersEmbed(language: Language, servers: readonly AddedServer[]): APIEmbed {
  const lines = servers.map((server) =>
    [
      `**${serverName(server)}** · ${escaped(server.game, 60)} · ${addressOf(server)}`,
      `-# ${language.t('server.addedBy', { member: `<@${server.addedBy}>`, when: date(server.addedAt) })}`,
    ].join('\n'),
  );
  const list = linesWithin(language, lines, embedLimits.description - 700);
  return {
    title: language.t('server.listTitle'),
    description: [
      lines.length === 0 ? language.t('server.listEmpty') : list,
      '',
      language.t('server.listNext'),
    ].join('\n'),
    color: colours.accent,
  };
}
