import { makeBadge } from 'badge-maker';
import type { Server } from '../../api/resources.ts';
import { plain } from '../../embeds/text.ts';
import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { readServers } from '../project.ts';
import { crossOrigin, type ProjectRoute } from '../route.ts';
import { plainName } from '../view.ts';

/** What a badge says, in English, as badges are everywhere. */
export interface Badge {
  /** What it is about, such as the server's name. */
  label: string;
  /** `online`, or `37/60 players`. */
  message: string;
  /** `#rrggbb`, dark enough for white text. */
  color: string;
}

const badgeKinds = ['status', 'players'] as const;

export const badgeFormats = {
  svg: (badge: Badge): PublicContent => ({
    type: 'image/svg+xml',
    body: makeBadge(badge),
    headers: crossOrigin,
  }),
  /** The form that `https://img.shields.io/endpoint?url=…` reads, which draws it in other styles. */
  json: (badge: Badge): PublicContent => ({
    type: 'application/json; charset=utf-8',
    body: JSON.stringify({ schemaVersion: 1, ...badge }),
  }),
} as const;

/** The state and the players of a server, or of all of a project, as pictures for other pages, and for shields.io. */
export const badges: readonly ProjectRoute[] = badgeKinds.flatMap((kind) =>
  Object.entries(badgeFormats).flatMap(([format, write]) =>
    ['/badge', '/badge/:server'].map((path): ProjectRoute => ({
      path: `${path}/${kind}.${format}`,
      anyOrigin: true,
      async make({ project, view, params: { server: serverId } }) {
        const servers = await readServers(project, serverId);
        if (serverId === undefined) return write(badgeOf(kind, view.project.title, servers));
        const [server] = servers;
        return server === undefined ? null : write(badgeOf(kind, plainName(server), servers));
      },
    })),
  ),
);

const labelLength = 40;

const colours = { good: '#2c7a3f', partly: '#96600c', bad: '#b3261e', unknown: '#5b6570' } as const;

const playersText = (count: number, max: number | null): string =>
  max === null ? `${count} ${count === 1 ? 'player' : 'players'}` : `${count}/${max} players`;

/** One badge for all of these servers. @param name of a project, or of the only server */
export function badgeOf(kind: (typeof badgeKinds)[number], name: string, servers: readonly Server[]): Badge {
  const label = plain(name, labelLength) || 'servers';
  const online = servers.filter(({ status }) => status === 'ONLINE');
  if (online.length === 0) {
    const isOffline = servers.some(({ status }) => status === 'OFFLINE');
    return isOffline
      ? { label, message: 'offline', color: colours.bad }
      : { label, message: 'unknown', color: colours.unknown };
  }
  const color = online.length === servers.length ? colours.good : colours.partly;
  const playerCounts = online.flatMap(({ players }) => players ?? []);
  if (kind === 'players' && playerCounts.length > 0) {
    const slots = online.flatMap(({ maxPlayers }) => maxPlayers ?? []);
    // Without the slots of one of them, the sum would be too small.
    const max = slots.length < online.length ? null : sum(slots);
    return { label, message: playersText(sum(playerCounts), max), color };
  }
  const message = servers.length === 1 ? 'online' : `${online.length}/${servers.length} online`;
  return { label, message, color };
}

const sum = (figures: readonly number[]): number => figures.reduce((one, other) => one + other, 0);
