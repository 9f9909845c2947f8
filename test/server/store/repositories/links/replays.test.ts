import { expect, test } from 'vitest';
import { seededRandom } from '../../../../../src/demo/random.ts';
import { readAdminLogLine } from 'dayz-files';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import {
  confirmChallenge,
  countGestures,
  findChallenge,
  startChallenge,
} from '../../../../../src/server/store/repositories/links/challenges.ts';
import { onPostgres } from '../../../../harness/new-store.ts';
import { storedLinks } from './stored-links.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';
import {
  disturb,
  draw,
  honest,
  type Line,
  mischief,
  peopleOn,
  perform,
  pick,
  pool,
  type Random,
} from './gesture-lines.ts';

/*
 * Logs of two members who prove their players at once, replayed with what real life adds: the three forms of ids, wrong
 * orders, a namesake, others who copy, guess or make all gestures there are, kills between two transactions, and lines that
 * are read again. A member says no to a player who is another one, and gets new gestures.
 */

const replays = onPostgres ? 60 : 200;
const start = Date.UTC(2026, 8, 1, 20);
const roundMs = 20 * 60_000;
/** In the last round, nobody disturbs. */
const rounds = 3;

/** Reads lines in parts; some transactions are lost, and some lines are read twice. */
async function read(db: Database, rnd: Random, lines: readonly Line[], ids: ReadonlyMap<string, number>) {
  const inOrder = lines.toSorted((one, other) => one.at - other.at);
  for (let from = 0; from < inOrder.length;) {
    const to = from + 1 + Math.floor(rnd() * 30);
    const made = inOrder.slice(Math.max(0, from - (rnd() < 0.2 ? 10 : 0)), to).flatMap(({ at, text }) => {
      const event = readAdminLogLine(text, at);
      if (typeof event === 'string' || event.kind !== 'gesture') return [];
      return [
        { playerId: ids.get(event.player.id) as number, gesture: event.gesture, at: event.at, cameAt: null },
      ];
    });
    const isKilled = rnd() < 0.15;
    await db
      .transaction()
      .execute(async (tx) => {
        await countGestures(tx, 'p', made);
        if (isKilled) throw new Error('killed');
      })
      .catch((error: unknown) => expect((error as Error).message).toBe('killed'));
    if (!isKilled) from = to;
  }
}

test(`in ${replays} random replays each member is linked to the own player, and nobody to another`, async () => {
  const db = await temporaryStore();
  const people = [0, 1, 2].map(peopleOn);
  const ids = new Map<string, number>();
  for (const { id, name } of people.flat()) {
    const row = { project_id: 'p', dayz_id: id, name };
    ids.set(id, (await db.insertInto('player').values(row).returning('id').executeTakeFirstOrThrow()).id);
  }
  const seen = { firstRound: 0, refused: 0, several: 0 };
  for (let seed = 0; seed < replays; seed += 1) {
    const rnd = seededRandom(seed + 1_000);
    const [aksel, berit, namesake, carl] = people[seed % 3]!;
    const own = new Map([
      ['1', aksel],
      ['2', berit],
    ]);
    const linked = new Set<string>();
    for (let round = 0; round < rounds && linked.size < own.size; round += 1) {
      const now = start + seed * 3_600_000 * 3 + round * roundMs;
      const lines: Line[] = perform(
        rnd,
        namesake,
        Array.from({ length: 5 }, () => pick(rnd, pool)),
        now,
      );
      for (const [memberId, player] of own) {
        if (linked.has(memberId)) continue;
        expect(
          await startChallenge(db, 'p', { userId: memberId, guildId: '9' }, { now, draw: () => draw(rnd) }),
        ).toBe('started');
        const wanted = (await findChallenge(db, 'p', memberId, now))?.gestures ?? [];
        // Before it began, and after it ended.
        lines.push(
          ...perform(rnd, carl, wanted, now - 10 * 60_000),
          ...perform(rnd, carl, wanted, now + 17 * 60_000),
        );
        const from = now + 150_000 + Math.floor(rnd() * 120) * 1_000;
        const made = perform(rnd, player, honest(rnd, wanted), from);
        const how = round === rounds - 1 ? 'none' : pick(rnd, mischief);
        const other = pick(rnd, [carl, namesake, memberId === '1' ? berit : aksel]);
        lines.push(...made, ...disturb(rnd, how, other, made, wanted));
      }
      await read(db, rnd, lines, ids);
      for (const [memberId, player] of own) {
        const found = (await findChallenge(db, 'p', memberId, now + roundMs))?.found ?? null;
        if (found === 'several') seen.several += 1;
        if (found === null || typeof found === 'string') continue;
        if (found.playerId !== ids.get(player.id)) seen.refused += 1;
        else {
          const confirmed = { playerId: found.playerId, now: now + roundMs };
          expect(await confirmChallenge(db, 'p', memberId, confirmed)).toBe('linked');
          linked.add(memberId);
          if (round === 0) seen.firstRound += 1;
        }
      }
    }
    const links = await storedLinks(db);
    expect([seed, ...links.map(({ memberId, playerId }) => [memberId, playerId])]).toEqual([
      seed,
      ['1', ids.get(aksel.id)],
      ['2', ids.get(berit.id)],
    ]);
    for (const table of ['player_link', 'link_progress', 'link_challenge'] as const)
      await db.deleteFrom(table).execute();
  }
  // Most are linked at once, and the mischief was not harmless.
  expect(seen.firstRound).toBeGreaterThan(replays);
  expect(seen.refused).toBeGreaterThan(onPostgres ? 0 : 10);
}, 600_000);
