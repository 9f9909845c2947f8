import { type Place, placeName, type RemotePlaces } from 'game-files';
import type { Database } from '../../store/engine/database.ts';
import {
  forgetSourceStates,
  readSourceStates,
  saveSourceStates,
} from '../../store/repositories/logs/source-states.ts';
import type { Source } from './polled-source.ts';

/**
 * The running service stores which sources it follows at other hosts, each minute. Commands beside it show what it has
 * stored of them instead of logging in: many hosts allow one connection.
 */

export interface PlacedSource extends Source {
  place: Place;
}

export const isPlaced = <One extends Source & { place?: Place | undefined }>(
  source: One,
): source is One & PlacedSource => source.place !== undefined;

/** A service stores its sources again within this time; older ones are those of one that was killed. */
const freshMs = 3 * 60_000;

const storedKind = (kind: Source['kind']): string => `followed ${kind}`;

/** Stores which sources at other hosts this process follows, for commands that run beside it. */
export class FollowedSources {
  readonly #db: Database;
  readonly #remote: Pick<RemotePlaces, 'answeredAt'>;
  readonly #now: () => number;
  #stored: readonly PlacedSource[] = [];
  #answered = 0;

  constructor(db: Database, remote: Pick<RemotePlaces, 'answeredAt'>, now: () => number) {
    this.#db = db;
    this.#remote = remote;
    this.#now = now;
  }

  /** @param full whether to store them though no other host has answered meanwhile */
  async store(sources: readonly PlacedSource[], full: boolean): Promise<void> {
    const answers = sources.map(({ place }) => this.#remote.answeredAt(place));
    const answered = answers.filter((moment) => moment !== null).length;
    if (!full && answered === this.#answered) return;
    this.#stored = sources;
    this.#answered = answered;
    const changes = sources.map(({ kind, id, path, place }, i) => ({
      kind: storedKind(kind),
      ownerId: id,
      path,
      report: { place: placeName(place), answeredAt: answers[i] },
      error: null,
    }));
    await saveSourceStates(this.#db, changes, this.#now());
  }

  /** They are not followed any more. */
  async forget(): Promise<void> {
    if (this.#stored.length === 0) return;
    const kinds = [...new Set(this.#stored.map(({ kind }) => storedKind(kind)))];
    await forgetSourceStates(this.#db, kinds, [...new Set(this.#stored.map(({ id }) => id))]);
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
