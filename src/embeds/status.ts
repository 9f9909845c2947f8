import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import type { Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { authorOf, colours, type Branding } from './branding.ts';
import { embedLength, embedLimits, textLimits } from './limits.ts';
import { statusNames } from './logged-players.ts';
import { mapName } from './maps.ts';
import { moreNote, pageNote, staleNote } from './notes.ts';
import { nextRestart } from './schedule-times.ts';
import { onlineLine, onlineText, queueText, type ServerView, stateText } from './server-state.ts';
import { code, escaped } from './text.ts';
import { relative, upcoming } from './timestamps.ts';

export interface StatusView {
  servers: readonly ServerView[];
  /** When the service answered; epoch milliseconds. */
  receivedAt: number;
  /** The answer is cached and could not be refreshed. */
  stale: boolean;
  /** The number of requested servers that no longer exist. */
  missing?: number;
  /** Set when `servers` are one page of all. */
  page?: { number: number; of: number; all: readonly Server[] };
  /** The message updates automatically, as its footer says. */
  updating?: boolean;
}

/** Older checks are marked as out of date. */
const oldCheckMs = 5 * 60_000;

export const marks = { ONLINE: '🟢', OFFLINE: '🔴', UNKNOWN: '⚪' } as const satisfies Record<
  Server['status'],
  string
>;
export const stateColours = {
  ONLINE: colours.online,
  OFFLINE: colours.offline,
  UNKNOWN: colours.unknown,
} as const satisfies Record<Server['status'], number>;

/** The fields of all servers of a list share this many characters; the rest of a message is for what stands around them. */
const allFieldsLength = 5_250;
/** The names of players share this many of them. */
const allNamesLength = 2_400;
/** A shorter list of players is none. */
const leastNames = 60;
/** Of a server, where longer names of many leave no room for the rest. */
const shortName = 40;

/** A server's name in markdown, never empty: its id replaces a name without visible characters. */
export function serverName(server: Pick<Server, 'id' | 'name'>, max: number = textLimits.serverName): string {
  return escaped(server.name, max) || escaped(server.id, max) || '?';
}

/** When the server was checked whose state is the oldest; undefined: none was. */
export function oldestCheck(servers: readonly Server[]): string | undefined {
  return servers.flatMap(({ checkedAt }) => checkedAt ?? []).toSorted()[0];
}

/** The oldest check, if it is so old that the state may be another by now; epoch milliseconds. */
export function oldCheck(servers: readonly Server[], now: number): number | null {
  const oldest = Date.parse(oldestCheck(servers) ?? '');
  return now - oldest > oldCheckMs ? oldest : null;
}

function warnings(language: Language, view: StatusView, now: number): string[] {
  if (view.stale) return staleNote(language, view);
  const old = oldCheck(
    view.servers.map(({ server }) => server),
    now,
  );
  return old === null ? [] : [language.t('status.oldCheck', { when: relative(old) })];
}

function oneServer(language: Language, view: ServerView, now: number): APIEmbed {
  const { server, schedules, joinUrl, joinAddress, players = null } = view;
  const fields: APIEmbedField[] = [];
  const map = mapName(server.map);
  if (map !== null) fields.push({ name: language.t('status.map'), value: map, inline: true });
  const restart = nextRestart(schedules ?? [], now);
  if (restart !== null) {
    fields.push({ name: language.t('status.nextRestart'), value: upcoming(restart.at, now), inline: true });
  }
  if (joinAddress) {
    fields.push({ name: language.t('status.address'), value: code(joinAddress), inline: true });
  }
  if (server.checkedAt !== null) {
    fields.push({ name: language.t('status.lastChecked'), value: relative(server.checkedAt), inline: true });
  }
  const names = players === null ? '' : statusNames(language, server, players, embedLimits.fieldValue);
  if (names !== '') fields.push({ name: language.t('online.names'), value: names });
  return {
    title: `${marks[server.status]} ${serverName(server)}`,
    ...(joinUrl && { url: joinUrl }),
    description:
      server.status === 'ONLINE' ? onlineText(language, view, now) : stateText(language, view, now),
    color: stateColours[server.status],
    fields,
  };
}

/** What the field of a server has room for. */
interface FieldRoom {
  serverName: number;
  withLink: boolean;
  /** For the names of players; 0: none. */
  names: number;
}

function serverField(language: Language, view: ServerView, now: number, room: FieldRoom): APIEmbedField {
  const { server, schedules, queue, joinUrl, joinAddress, players = null } = view;
  const restart = nextRestart(schedules ?? [], now);
  const facts = [
    mapName(server.map),
    queueText(language, queue),
    restart === null ? null : language.t('status.restart', { when: relative(restart.at) }),
    joinUrl && room.withLink ? `[${language.t('button.join')}](${joinUrl})` : null,
    joinAddress ? code(joinAddress) : null,
  ].filter((fact) => fact !== null);
  const hasNames = players !== null && room.names > 0;
  const names = hasNames ? statusNames(language, server, players, room.names) : '';
  return {
    name: `${marks[server.status]} ${serverName(server, room.serverName)}`,
    value: [
      server.status === 'ONLINE' ? onlineLine(language, view, now) : stateText(language, view, now),
      ...(facts.length > 0 ? [facts.join(' · ')] : []),
      ...(names === '' ? [] : [names]),
    ].join('\n'),
  };
}

/** A field for each server: all have the same parts, as many as a message has room for. */
function serverFields(language: Language, views: readonly ServerView[], now: number): APIEmbedField[] {
  const fieldsWith = (room: FieldRoom) => views.map((view) => serverField(language, view, now, room));
  const lengthOf = (fields: APIEmbedField[]): number => embedLength({ fields });
  const rooms: FieldRoom[] = [
    { serverName: textLimits.serverName, withLink: true, names: 0 },
    { serverName: shortName, withLink: true, names: 0 },
    { serverName: shortName, withLink: false, names: 0 },
  ];
  const roomBeside = (names: number): FieldRoom | undefined =>
    rooms.find((room) => lengthOf(fieldsWith(room)) + names <= allFieldsLength);
  const bare = fieldsWith(roomBeside(0) ?? rooms.at(-1)!);
  const lists = views.filter(({ players }) => players != null).length;
  const room = roomBeside(lists * leastNames);
  if (lists === 0 || room === undefined) return bare;
  const free = Math.min(allNamesLength, allFieldsLength - lengthOf(fieldsWith(room)));
  const named = fieldsWith({ ...room, names: Math.floor(free / lists) - 1 });
  return lengthOf(named) <= allFieldsLength ? named : bare;
}

/** Green: all online. Amber: some online. Red: none online, at least one offline. Grey: all unknown. */
export function colourOfAll(servers: readonly Server[]): number {
  const has = (status: Server['status']) => servers.some((server) => server.status === status);
  if (!has('ONLINE')) return has('OFFLINE') ? colours.offline : colours.unknown;
  return servers.every((server) => server.status === 'ONLINE') ? colours.online : colours.partly;
}

/** The players on all servers, and how many of these are online. */
export function onlineOf(servers: readonly Server[]): { count: number; online: number; total: number } {
  const online = servers.filter(({ status }) => status === 'ONLINE');
  const count = online.reduce((sum, { players }) => sum + (players ?? 0), 0);
  return { count, online: online.length, total: servers.length };
}

/** Whether the state of no server is known: then how many play is unknown, too. */
export const areAllUnknown = (servers: readonly Pick<Server, 'status'>[]): boolean =>
  servers.every(({ status }) => status === 'UNKNOWN');

/** The same as `onlineOf` in words; nothing where it is unknown. */
export const summaryOf = ({ t }: Language, servers: readonly Server[]): string[] =>
  areAllUnknown(servers) ? [] : [t('status.summary', onlineOf(servers))];

/** Without one if all lines are empty. */
function descriptionOf(lines: readonly string[]): Pick<APIEmbed, 'description'> {
  const description = lines.filter((line) => line !== '').join('\n');
  return description === '' ? {} : { description };
}

function allServers(
  language: Language,
  views: readonly ServerView[],
  servers: readonly Server[],
  now: number,
): APIEmbed {
  const shown = views.length > embedLimits.fields ? views.slice(0, embedLimits.fields) : views;
  const oldest = oldestCheck(servers);
  const summary = [
    ...summaryOf(language, servers),
    ...(oldest === undefined ? [] : [language.t('status.checked', { when: relative(oldest) })]),
  ];
  return {
    title: language.t('status.title'),
    ...descriptionOf([summary.join(' · '), ...moreNote(language, views.length - shown.length)]),
    color: colourOfAll(servers),
    fields: serverFields(language, shown, now),
  };
}

/** The status of one server, or of several in one embed. `now` in epoch milliseconds. */
export function statusEmbed(
  language: Language,
  branding: Branding | null,
  view: StatusView,
  now: number,
): APIEmbed {
  const [first, ...others] = view.servers;
  const missing = view.missing ?? 0;
  const notes = [
    ...warnings(language, view, now),
    ...(missing > 0 ? [language.t('status.missing', { count: missing })] : []),
  ];
  const { page } = view;
  const footerText = view.updating
    ? language.t('status.footer')
    : page && page.of > 1
      ? pageNote(language, page.number, page.of)
      : null;
  const footer = footerText === null ? {} : { footer: { text: footerText } };
  if (first === undefined) {
    return {
      ...authorOf(branding),
      title: language.t('status.title'),
      description: missing > 0 ? notes.join('\n') : language.t('status.noServers'),
      color: colours.unknown,
      ...footer,
    };
  }
  const all = page?.all ?? view.servers.map(({ server }) => server);
  const embed =
    others.length === 0 && all.length === 1
      ? oneServer(language, first, now)
      : allServers(language, view.servers, all, now);
  return {
    ...authorOf(branding),
    ...embed,
    ...footer,
    ...descriptionOf([embed.description ?? '', ...notes]),
    ...(view.stale && { color: colours.warning }),
  };
}

/** Shown by a status post while the service gives no fresh answer: no stale figures, only since when. */
export function statusUnavailableEmbed(
  language: Language,
  branding: Branding | null,
  lastAnswerAt: number | null,
): APIEmbed {
  const state =
    lastAnswerAt === null
      ? language.t('status.unavailable')
      : language.t('status.unavailableSince', { when: relative(lastAnswerAt) });
  return {
    ...authorOf(branding),
    title: `⚪ ${language.t('status.unavailableTitle')}`,
    description: [state, language.t('status.unavailableNext')].join('\n'),
    color: colours.unknown,
  };
}
