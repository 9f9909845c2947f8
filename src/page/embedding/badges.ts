import { makeBadge } from 'badge-maker';
import type { Server } from '../../api/resources.ts';
import { plain } from '../../embeds/text.ts';
import { plainName } from '../plain-name.ts';

/** What a badge says: the name of what it is about, and one fact. In English, as badges are everywhere. */
export interface Badge {
  label: string;
  message: string;
  /** `#rrggbb`, dark enough for white text. */
  color: string;
}

export const badgeKinds = ['status', 'players'] as const;
type BadgeKind = (typeof badgeKinds)[number];

const labelLength = 40;

const colours = { good: '#2c7a3f', partly: '#96600c', bad: '#b3261e', unknown: '#5b6570' } as const;
const ofStatus = {
  ONLINE: colours.good,
  OFFLINE: colours.bad,
  UNKNOWN: colours.unknown,
} as const satisfies Record<Server['status'], string>;

const nameOf = (status: Server['status']): string => status.toLowerCase();

function players(count: number, max: number | null): string {
  return `${count}${max === null ? '' : `/${max}`} ${count === 1 && max === null ? 'player' : 'players'}`;
}

export function serverBadge(kind: BadgeKind, server: Server): Badge {
  const { status } = server;
  const counted = kind === 'players' && status === 'ONLINE' && server.players !== null;
  return {
    label: plainName(server, labelLength),
    message: counted ? players(server.players!, server.maxPlayers) : nameOf(status),
    color: ofStatus[status],
  };
}

/** One badge for all servers of a project. */
export function projectBadge(kind: BadgeKind, name: string, servers: readonly Server[]): Badge {
  const label = plain(name, labelLength) || 'servers';
  const online = servers.filter(({ status }) => status === 'ONLINE');
  if (online.length === 0) {
    const status = servers.some((server) => server.status === 'OFFLINE') ? 'OFFLINE' : 'UNKNOWN';
    return { label, message: nameOf(status), color: ofStatus[status] };
  }
  const color = online.length === servers.length ? colours.good : colours.partly;
  const counted = online.filter((server) => server.players !== null);
  if (kind === 'players' && counted.length > 0) {
    const slots = online.map(({ maxPlayers }) => maxPlayers);
    const max = slots.includes(null) ? null : slots.reduce<number>((sum, each) => sum + each!, 0);
    return {
      label,
      message: players(
        counted.reduce((sum, server) => sum + server.players!, 0),
        max,
      ),
      color,
    };
  }
  const message = servers.length === 1 ? 'online' : `${online.length}/${servers.length} online`;
  return { label, message, color };
}

/** The badge as shields.io draws it. */
export function badgeSvg(badge: Badge): string {
  return makeBadge(badge);
}

/** The badge in the form that `https://img.shields.io/endpoint?url=…` reads, which draws it in other styles. */
export function shieldsEndpoint({ label, message, color }: Badge): object {
  return { schemaVersion: 1, label, message, color };
}
