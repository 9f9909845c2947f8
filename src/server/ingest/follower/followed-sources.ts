import type { Database } from '../../store/engine/database.ts';
import { placedFile, placeName } from '../../store/repositories/projects/places.ts';
import {
  forgetSourceStates,
  readSourceStates,
  saveSourceStates,
} from '../../store/repositories/logs/source-states.ts';
import type { Sources } from './sources.ts';
import type { Place } from '../../files/remote/place.ts';
import type { RemotePlaces } from '../../files/remote/remote-places.ts';
import { messagesFilesOf } from '../schedules/messages-sync.ts';

/**
 * The running service stores which sources it follows at other hosts, each minute. Commands beside it show what it has
 * stored of them instead of logging in: many hosts allow one connection.
 */

export type SourceKind = 'logs' | 'playersDb' | 'bans' | 'messages';

export interface PlacedSource {
  kind: SourceKind;
  /** Of the server or ban list. */
  id: string;
  /** As the store names it. */
  path: string;
  place: Place;
}

/** A service stores its sources again within this time; older ones are those of one that was killed. */
const freshMs = 3 * 60_000;

/** The sources that are at other hosts. */
export function placedSources({
  servers,
  banlists,
  places = new Map<string, Place>(),
}: Sources): PlacedSource[] {
  const at = (kind: SourceKind, id: string, file: string | undefined, serverId: string | undefined) => {
    const place = serverId === undefined ? undefined : places.get(serverId);
    if (file === undefined || place === undefined) return [];
    return [{ kind, id, path: kind === 'bans' ? placedFile(file, serverId) : file, place }];
  };
  return [
    ...servers.flatMap((server) => [
      ...at('logs', server.id, server.logs, server.id),
      ...at('playersDb', server.id, server.playersDb, server.id),
      ...messagesFilesOf(server).flatMap((file) => at('messages', server.id, file, server.id)),
    ]),
    ...banlists.flatMap(({ id, sources }) =>
      sources.flatMap(({ file, filesOf }) => at('bans', id, file, filesOf)),
    ),
  ];
}

const storedKind = (kind: SourceKind): string => `followed ${kind}`;

/** @param answeredAt when the host of a place answered last, epoch milliseconds; null: not yet */
export async function saveFollowedSources(
  db: Database,
  sources: readonly PlacedSource[],
  answeredAt: (place: Place) => number | null,
  now: number,
): Promise<void> {
  const changes = sources.map(({ kind, id, path, place }) => ({
    kind: storedKind(kind),
    ownerId: id,
    path,
    report: { place: placeName(place), answeredAt: answeredAt(place) },
    error: null,
  }));
  await saveSourceStates(db, changes, now);
}

/** These are not followed any more. */
export async function forgetFollowedSources(db: Database, sources: readonly PlacedSource[]): Promise<void> {
  const kinds = [...new Set(sources.map(({ kind }) => storedKind(kind)))];
  await forgetSourceStates(db, kinds, [...new Set(sources.map(({ id }) => id))]);
}

/** Stores which sources at other hosts this process follows, for commands that run beside it. */
export class FollowedSources {
  readonly #db: Database;
  readonly #remote: RemotePlaces;
  readonly #now: () => number;
  #stored: readonly PlacedSource[] = [];
  #answered = 0;

  constructor(db: Database, remote: RemotePlaces, now: () => number) {
    this.#db = db;
    this.#remote = remote;
    this.#now = now;
  }

  /** @param full whether to store them though no other host has answered meanwhile */
  async store(sources: readonly Sources[], full: boolean): Promise<void> {
    const placed = sources.flatMap(placedSources);
    const answeredAt = ({ place }: PlacedSource): number | null => this.#remote.answeredAt(place);
    const answered = placed.filter((source) => answeredAt(source) !== null).length;
    if (!full && answered === this.#answered) return;
    this.#stored = placed;
    this.#answered = answered;
    await saveFollowedSources(this.#db, placed, (place) => this.#remote.answeredAt(place), this.#now());
  }

  async forget(): Promise<void> {
    if (this.#stored.length > 0) await forgetFollowedSources(this.#db, this.#stored);
  }
}

/**
 * Whether a running service follows a source where the config has it, and when its host answered last.
 * @param states of all sources
 */
export function followedSource(
  states: Awaited<ReturnType<typeof readSourceStates>>,
  { kind, id, path, place }: PlacedSource,
  now: number,
): { answeredAt: number | null } | null {
  const row = states.find(
    (state) => state.kind === storedKind(kind) && state.owner_id === id && state.path === path,
  );
  if (!row?.report || now - (row.read_at ?? 0) > freshMs) return null;
  const stored = JSON.parse(row.report) as { place: string; answeredAt: number | null };
  return stored.place === placeName(place) ? { answeredAt: stored.answeredAt } : null;
}
