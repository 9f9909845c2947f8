import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import type { Freshness } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import type { Language, TextKey } from '../locales/language.ts';
import { colours } from './branding.ts';
import { embedLength, embedLimits, textLimits } from './limits.ts';
import { statusNames } from './online.ts';
import { mapName } from './maps.ts';
import { moreNote, nameOf, pageNote, staleNote } from './shared-texts.ts';
import { nextRestart } from './schedule-times.ts';
import { queueText, type ServerView, stateBlock, stateLine } from './server-state.ts';
import { code, facts, lines } from './text.ts';
import { relative, upcoming } from './timestamps.ts';

export interface StatusView extends Freshness {
  servers: readonly ServerView[];
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

/** The fields of all servers of a list share this many characters; the rest of a message is for its other parts. */
const allFieldsLength = 5_250;
/** The names of players share this many of them. */
const allNamesLength = 2_400;
/** In less room, a list would name two players and count the others. */
const leastNames = 60;
/** Of a server, where longer names of many leave no room for the rest. */
const shortName = 40;

/** When the server was checked whose state is the oldest; undefined: none was. */
export function oldestCheck(servers: readonly Server[]): string | undefined {
  return servers.flatMap(({ checkedAt }) => checkedAt ?? []).toSorted()[0];
}

/** The oldest check, if it is so old that the state may be another by now; epoch milliseconds. */
export function oldCheck(servers: readonly Server[], now: number): number | null {
  const oldest = Date.parse(oldestCheck(servers) ?? '');
  return now - oldest > oldCheckMs ? oldest : null;
}

function ageNote(language: Language, view: StatusView, now: number): string | null {
  if (view.stale) return staleNote(language, view);
  const servers = view.servers.map(({ server }) => server);
  const old = oldCheck(servers, now);
  return old === null ? null : language.t('status.oldCheck', { when: relative(old) });
}

function oneServer(language: Language, view: ServerView, now: number): APIEmbed {
  const { server, schedules, joinUrl, joinAddress, players = null } = view;
  const restart = nextRestart(schedules ?? [], now);
  const names = players === null ? '' : statusNames(language, server, players, embedLimits.fieldValue);
  const inline: [TextKey, string | null][] = [
    ['status.map', mapName(server.map)],
    ['status.nextRestart', restart === null ? null : upcoming(restart, now)],
    ['status.address', joinAddress ? code(joinAddress) : null],
    ['status.lastChecked', server.checkedAt && relative(server.checkedAt)],
  ];
  const fields: APIEmbedField[] = inline.map(([name, value]) => {
    return { name: language.t(name), value: value ?? '', inline: true };
  });
  return {
    title: `${marks[server.status]} ${nameOf(server)}`,
    url: joinUrl ?? '',
    description: stateBlock(language, view, now),
    color: stateColours[server.status],
    fields: [...fields, { name: language.t('online.names'), value: names }],
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
  const details = facts(
    mapName(server.map),
    queueText(language, queue),
    restart !== null && language.t('status.restart', { when: relative(restart) }),
    room.withLink && joinUrl ? `[${language.t('button.join')}](${joinUrl})` : null,
    joinAddress ? code(joinAddress) : null,
  );
  const hasNames = players !== null && room.names > 0;
  const names = hasNames ? statusNames(language, server, players, room.names) : '';
  return {
    name: `${marks[server.status]} ${nameOf(server, room.serverName)}`,
    value: lines(stateLine(language, view, now), details !== '' && details, names !== '' && names),
  };
}

/** A field for each server: all have the same parts, as many as a message has room for. */
function serverFields(language: Language, views: readonly ServerView[], now: number): APIEmbedField[] {
  const lists = views.filter(({ players }) => players != null).length;
  const whole = { serverName: textLimits.serverName, withLink: true, names: 0 };
  const short = { ...whole, serverName: shortName };
  const withNames: FieldRoom[] = [
    { ...whole, names: Math.floor(allNamesLength / lists) },
    { ...whole, names: leastNames },
    { ...short, names: leastNames },
  ];
  const rooms: FieldRoom[] = [...(lists > 0 ? withNames : []), whole, short, { ...short, withLink: false }];
  let fields: APIEmbedField[] = [];
  for (const room of rooms) {
    fields = views.map((view) => serverField(language, view, now, room));
    if (embedLength({ fields }) <= allFieldsLength) break;
  }
  return fields;
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

function allServers(
  language: Language,
  views: readonly ServerView[],
  servers: readonly Server[],
  now: number,
): APIEmbed {
  const shown = views.slice(0, embedLimits.fields);
  const oldest = oldestCheck(servers);
  const summary = facts(
    ...summaryOf(language, servers),
    oldest !== undefined && language.t('status.checked', { when: relative(oldest) }),
  );
  return {
    title: language.t('status.title'),
    description: lines(summary || null, moreNote(language, views.length - shown.length)),
    color: colourOfAll(servers),
    fields: serverFields(language, shown, now),
  };
}

/** The status of one server, or of several in one embed. `now` in epoch milliseconds. */
export function statusEmbed(language: Language, view: StatusView, now: number): APIEmbed {
  const [first, ...others] = view.servers;
  const { page, missing = 0 } = view;
  const missingNote = missing > 0 ? language.t('status.missing', { count: missing }) : null;
  const pages = page && page.of > 1 ? pageNote(language, page.number, page.of) : '';
  const footer = { text: view.updating ? language.t('status.footer') : pages };
  if (first === undefined) {
    return {
      title: language.t('status.title'),
      description: missingNote
        ? lines(ageNote(language, view, now), missingNote)
        : language.t('status.noServers'),
      color: colours.unknown,
      footer,
    };
  }
  const all = page?.all ?? view.servers.map(({ server }) => server);
  const isOne = others.length === 0 && all.length === 1;
  const { description, ...embed } = isOne
    ? oneServer(language, first, now)
    : allServers(language, view.servers, all, now);
  return {
    ...embed,
    footer,
    description: lines(description || null, ageNote(language, view, now), missingNote),
    ...(view.stale && { color: colours.warning }),
  };
}

/** Shown by a status post while the service gives no fresh answer: no stale figures, only since when. */
export function statusUnavailableEmbed(language: Language, lastAnswerAt: number | null): APIEmbed {
  return {
    title: `⚪ ${language.t('status.unavailableTitle')}`,
    description: lines(
      lastAnswerAt === null
        ? language.t('status.unavailable')
        : language.t('status.unavailableSince', { when: relative(lastAnswerAt) }),
      language.t('status.unavailableNext'),
    ),
    color: colours.unknown,
  };
}
