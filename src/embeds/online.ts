import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import type { OnlinePlayers, Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { authorOf, colours, type Branding } from './branding.ts';
import { embedLimits } from './limits.ts';
import { type LoggedPlayers, loggedSentences } from './logged-players.ts';
import { staleNote } from './notes.ts';
import { namelessLine, sessionLines, type Session } from './sessions.ts';
import { serverName } from './status.ts';
import { linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

export interface OnlineView {
  server: Pick<Server, 'id' | 'name'>;
  result: OnlinePlayers;
  /** The players in the server's latest query, if known. */
  live?: { sessions: readonly Session[]; observedAt: number } | null;
  receivedAt: number;
  stale: boolean;
  /** Only the player count of the latest check is known. */
  countOnly?: boolean;
  /** Who is on according to the server's log, if known. It is left out if the query itself names players. */
  logged?: LoggedPlayers | null;
}

/** Fields that follow each other look like one column. Five of them name more players than a server has slots. */
const mostFields = 5;

/** Query results this close together list the same players. */
const sameResultMs = 60_000;

/** The players, from the server's query if known, else from the service. */
function sessionsOf({ result, live }: OnlineView): readonly Session[] {
  const isSame = live && Math.abs(live.observedAt - Date.parse(result.observedAt)) <= sameResultMs;
  return isSame ? live.sessions : result.players.map(({ name }) => ({ name, seconds: null }));
}

function nameFields(language: Language, names: readonly string[]): APIEmbedField[] {
  const parts: string[][] = [[]];
  let length = 0;
  for (const name of names) {
    length += name.length + 1;
    if (length > embedLimits.fieldValue && parts.length < mostFields) {
      parts.push([]);
      length = name.length + 1;
    }
    parts.at(-1)!.push(name);
  }
  return parts.map((part, index) => ({
    name: index === 0 ? language.t('online.names') : '\u200b',
    value: linesWithin(language, part, embedLimits.fieldValue),
  }));
}

function sentences(
  language: Language,
  { result, countOnly }: OnlineView,
  named: number,
  logged: LoggedPlayers | null,
): string[] {
  const { online, listedPlayers, incompletePlayers } = result;
  const lines: string[] = [];
  if (countOnly && logged === null) return [language.t('online.listLater')];
  if (online === 0 && listedPlayers === 0) return [language.t('online.nobody')];
  if (logged !== null) {
    const count = online ?? (listedPlayers > 0 ? listedPlayers : null);
    if (count === null) lines.push(language.t('online.countUnknown'));
    return [...lines, ...loggedSentences(language, logged, count)];
  }
  if (online === null && listedPlayers === 0) return [language.t('online.countUnknown')];
  if (online === null) lines.push(language.t('online.countUnknown'));
  if (named === 0) lines.push(language.t('online.noNames'));
  if (online !== null && online !== listedPlayers && listedPlayers > 0) {
    lines.push(
      language.t('online.differs', {
        online: language.number(online),
        listed: language.number(listedPlayers),
      }),
    );
  }
  const nameless = Math.min(incompletePlayers, Math.max(listedPlayers - named, 0));
  if (nameless > 0 && named > 0) {
    lines.push(language.t('online.incomplete', { count: nameless }));
  }
  return lines;
}

/** The players on a server. It mentions every difference between the count and the list. */
export function onlineEmbed(language: Language, branding: Branding | null, view: OnlineView): APIEmbed {
  const { result } = view;
  const count = result.online ?? result.listedPlayers;
  const checked = language.t('status.checked', { when: relative(result.observedAt) });
  const known = result.online !== null || result.listedPlayers > 0;
  const head = known ? `${language.t('online.count', { count })} · ${checked}` : checked;
  const queried = sessionsOf(view);
  const isNobody = result.online === 0 && result.listedPlayers === 0;
  const logged = isNobody || queried.some(({ name }) => name !== null) ? null : (view.logged ?? null);
  const names = sessionLines(language, logged?.players ?? queried);
  const nameless = logged?.players?.length ? null : namelessLine(language, queried);
  const fields = names.length > 0 ? nameFields(language, names) : [];
  return {
    ...authorOf(branding),
    title: `👥 ${language.t('online.title', { server: serverName(view.server) })}`,
    description: [
      head,
      ...sentences(language, view, names.length, logged),
      ...(nameless === null ? [] : [nameless]),
      ...staleNote(language, view),
    ].join('\n'),
    color: view.stale ? colours.warning : count > 0 ? colours.online : colours.unknown,
    ...(fields.length > 0 && { fields }),
  };
}

/** The players on a server that has no query, as its log has them. */
export function loggedOnlineEmbed(
  language: Language,
  branding: Branding | null,
  { server, logged }: { server: OnlineView['server']; logged: LoggedPlayers },
): APIEmbed {
  const players = logged.players ?? [];
  const names = sessionLines(language, players);
  const on = players.length + (logged.unnamed ?? 0);
  const count = language.t('online.count', { count: on });
  return {
    ...authorOf(branding),
    title: `👥 ${language.t('online.title', { server: serverName(server) })}`,
    description: [...(logged.isComplete ? [count] : []), ...loggedSentences(language, logged, null)].join(
      '\n',
    ),
    color: on > 0 ? colours.online : colours.unknown,
    ...(names.length > 0 && { fields: nameFields(language, names) }),
  };
}
