import type { APIEmbed } from 'discord-api-types/v10';
import type { OnlinePlayers, Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { authorOf, colours, type Branding } from './branding.ts';
import { embedLimits } from './limits.ts';
import { type LoggedPlayers, loggedSentences } from './logged-players.ts';
import { nameOf, staleNote } from './notes.ts';
import { namelessLine, sessionLines, type Session } from './sessions.ts';
import { facts, lines, linesWithin } from './text.ts';
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

function nameFields(language: Language, names: readonly string[]): Pick<APIEmbed, 'fields'> {
  if (names.length === 0) return {};
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
  const fields = parts.map((part, index) => ({
    name: index === 0 ? language.t('online.names') : '\u200b',
    value: linesWithin(language, part, embedLimits.fieldValue),
  }));
  return { fields };
}

/** What needs saying about the count and the list: what is unknown, missing, or different between the two. */
function sentences(
  language: Language,
  { result, countOnly = false }: OnlineView,
  named: number,
  logged: LoggedPlayers | null,
): (string | false)[] {
  const { online, listedPlayers: listed, incompletePlayers } = result;
  const { t } = language;
  if (countOnly && logged === null) return [t('online.listLater')];
  if (online === 0 && listed === 0) return [t('online.nobody')];
  const isUnknown = online === null && t('online.countUnknown');
  if (logged !== null) {
    const count = online ?? (listed > 0 ? listed : null);
    return [count === null && isUnknown, ...loggedSentences(language, logged, count)];
  }
  if (online === null && listed === 0) return [isUnknown];
  const differs = online !== null && online !== listed && listed > 0;
  const nameless = Math.min(incompletePlayers, Math.max(listed - named, 0));
  return [
    isUnknown,
    named === 0 && t('online.noNames'),
    differs && t('online.differs', { online: language.number(online), listed: language.number(listed) }),
    nameless > 0 && named > 0 && t('online.incomplete', { count: nameless }),
  ];
}

/** The players on a server. It mentions every difference between the count and the list. */
export function onlineEmbed(language: Language, branding: Branding | null, view: OnlineView): APIEmbed {
  const { result, server } = view;
  const count = result.online ?? result.listedPlayers;
  const isKnown = result.online !== null || result.listedPlayers > 0;
  const isNobody = result.online === 0 && result.listedPlayers === 0;
  const queried = sessionsOf(view);
  const hasNames = queried.some(({ name }) => name !== null);
  const logged = isNobody || hasNames ? null : (view.logged ?? null);
  const names = sessionLines(language, logged?.players ?? queried);
  const description = lines(
    facts(
      isKnown && language.t('online.count', { count }),
      language.t('status.checked', { when: relative(result.observedAt) }),
    ),
    ...sentences(language, view, names.length, logged),
    !logged?.players?.length && namelessLine(language, queried),
    staleNote(language, view),
  );
  const usual = count > 0 ? colours.online : colours.unknown;
  const color = view.stale ? colours.warning : usual;
  return { ...headOf(language, branding, server), description, color, ...nameFields(language, names) };
}

/** The players on a server that has no query, as its log has them. */
export function loggedOnlineEmbed(
  language: Language,
  branding: Branding | null,
  { server, logged }: { server: OnlineView['server']; logged: LoggedPlayers },
): APIEmbed {
  const { players, unnamed = 0 } = logged;
  const count = (players?.length ?? 0) + unnamed;
  return {
    ...headOf(language, branding, server),
    description: lines(
      logged.isComplete && language.t('online.count', { count }),
      loggedSentences(language, logged, null),
    ),
    color: count > 0 ? colours.online : colours.unknown,
    ...nameFields(language, sessionLines(language, players ?? [])),
  };
}

function headOf(
  language: Language,
  branding: Branding | null,
  server: OnlineView['server'],
): Pick<APIEmbed, 'author' | 'title'> {
  const title = `👥 ${language.t('online.title', { server: nameOf(server) })}`;
  return { ...authorOf(branding), title };
}
