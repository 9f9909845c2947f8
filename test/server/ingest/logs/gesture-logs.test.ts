import { appendFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RemotePlaces } from 'game-files';
import { seededRandom } from '../../../../src/demo/random.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import {
  confirmChallenge,
  findChallenge,
  startChallenge,
} from '../../../../src/server/store/repositories/links/challenges.ts';
import { createTestClock, type TestClock } from '../../../harness/clock.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { onPostgres } from '../../../harness/new-store.ts';
import { startNitrado } from '../../../../packages/game-files/test/servers/nitrado.ts';
import {
  disturb,
  draw,
  honest,
  type Line,
  mischief,
  peopleOn,
  perform,
  pick,
  type Random,
} from '../../store/repositories/links/gesture-lines.ts';
import { storedLinks } from '../../store/repositories/links/stored-links.ts';
import { header, temporaryFolder, temporaryStore } from '../fixture.ts';

/*
 * The replays of `links/replays.test.ts` over files that grow and are followed: around midnight, with restarts of the game
 * server and of Outpost in the middle of the gestures, and a host that hands logs over late.
 */

const replays = onPostgres ? 2 : 4;
const minuteMs = 60_000;
const start = Date.UTC(2026, 8, 1, 23, 45);
const roundMs = 60 * minuteMs;

/** A game server's log and who follows it. */
interface Followed {
  /** By how much the log's clock is off. */
  offMs: number;
  /** The game server starts. */
  begin(at: number): void;
  append(text: string): void;
  /** A moment later. */
  poll(rnd: Random): Promise<void>;
  /** All that is written has arrived. */
  arrive(): Promise<void>;
}

const textOf = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

function localLog(db: Database, clock: TestClock, offMs: number): Followed {
  const folder = temporaryFolder();
  const path = join(folder, 'DayZServer_x64.ADM');
  const sources = { servers: [{ id: 's', logs: folder }], banlists: [] };
  let watch = createSourceWatch(db, { clock });
  let begunAt: string | null = null;
  return {
    offMs,
    begin(at) {
      // As the game does with the log of the run before.
      if (begunAt !== null)
        renameSync(
          path,
          join(folder, `DayZServer_x64_${begunAt.replace(' ', '_').replaceAll(':', '-')}.ADM`),
        );
      begunAt = textOf(at + offMs);
      appendFileSync(path, header(begunAt));
    },
    append: (text) => appendFileSync(path, text),
    async poll(rnd) {
      // Where the clock is off, the moment of reading counts, which is known while the log is followed.
      if (offMs === 0 && rnd() < 0.1) watch = createSourceWatch(db, { clock });
      if (offMs !== 0 || rnd() < 0.5) await watch.followOn(sources);
    },
    arrive: async () => void (await watch.importChanged(sources)),
  };
}

async function nitradoLog(db: Database, clock: TestClock): Promise<Followed> {
  const root = temporaryFolder();
  mkdirSync(join(root, 'config'));
  const nitrado = await startNitrado({ root, batches: true });
  const remote = new RemotePlaces({ clock });
  onTestFinished(async () => {
    await remote.close();
    await nitrado[Symbol.asyncDispose]();
  });
  const { serviceId, token, url } = nitrado;
  const sources = {
    servers: [{ id: 's', logs: 'config' }],
    banlists: [],
    places: new Map([['s', { type: 'nitrado' as const, serviceId, token, baseUrl: url }]]),
  };
  let watch = createSourceWatch(db, { clock, remote });
  let path = '';
  let handedOverAt = clock.now();
  const handOver = async (): Promise<void> => {
    await nitrado.handOver();
    nitrado.beginHour();
    for (let polls = 0; polls < 3; polls += 1) {
      clock.advance(61_000);
      await watch.importChanged(sources);
    }
    handedOverAt = clock.now();
  };
  return {
    offMs: 0,
    begin(at) {
      const begunAt = textOf(at);
      path = join(root, 'config', `DayZServer_X1_x64_${begunAt.replace(' ', '_').replaceAll(':', '-')}.ADM`);
      appendFileSync(path, header(begunAt));
    },
    append: (text) => appendFileSync(path, text),
    async poll(rnd) {
      if (clock.now() - handedOverAt < 15 * minuteMs) return;
      if (rnd() < 0.3) watch = createSourceWatch(db, { clock, remote });
      await handOver();
    },
    async arrive() {
      clock.advance(15 * minuteMs);
      await handOver();
    },
  };
}

/** Writes lines when the game would, and the rest of one after a poll. */
async function write(
  log: Followed,
  { clock, lines, rnd, restartsAt }: { clock: TestClock; lines: Line[]; rnd: Random; restartsAt: number },
): Promise<void> {
  for (const [index, { at, text }] of lines.entries()) {
    while (clock.now() < at) {
      clock.advance(Math.min(10_000, at - clock.now()));
      await log.poll(rnd);
    }
    if (index === restartsAt) log.begin(at);
    const line = `${textOf(at + log.offMs).slice(11)} | ${text}\n`;
    const cut = Math.floor(rnd() * line.length);
    log.append(line.slice(0, cut));
    if (rnd() < 0.2) await log.poll(rnd);
    log.append(line.slice(cut));
    await log.poll(rnd);
  }
  await log.arrive();
}

test.each([
  ['on this machine', async (db: Database, clock: TestClock) => localLog(db, clock, 0)],
  [
    'whose clock is two hours ahead',
    async (db: Database, clock: TestClock) => localLog(db, clock, 120 * minuteMs),
  ],
  ['that Nitrado hands over late', nitradoLog],
])(
  'from followed logs %s each member is linked to the own player, and nobody to another',
  async (_, follow) => {
    let linkedAtOnce = 0;
    for (let seed = 0; seed < replays; seed += 1) {
      const rnd = seededRandom(seed + 7_000);
      const db = await temporaryStore();
      const [aksel, berit, namesake, carl] = peopleOn(seed % 3);
      const own = { 1: aksel, 2: berit };
      const clock = createTestClock(start - 15 * minuteMs);
      const log = await follow(db, clock);
      log.begin(clock.now());
      await log.arrive();
      const linked = new Set<string>();
      for (let round = 0; round < 2; round += 1) {
        const now = start + round * roundMs;
        while (clock.now() < now - 11 * minuteMs) {
          clock.advance(10_000);
          await log.poll(rnd);
        }
        const lines: Line[] = [];
        for (const [memberId, player] of Object.entries(own)) {
          if (linked.has(memberId)) continue;
          expect(
            await startChallenge(db, 'p', { userId: memberId, guildId: '9' }, { now, draw: () => draw(rnd) }),
          ).toBe('started');
          const wanted = (await findChallenge(db, 'p', memberId, now))?.gestures ?? [];
          const from = now + 2.5 * minuteMs + Math.floor(rnd() * 120) * 1_000;
          const made = perform(rnd, player, honest(rnd, wanted), from);
          const how = round === 1 ? 'none' : pick(rnd, mischief);
          lines.push(...perform(rnd, carl, wanted, now - 10 * minuteMs), ...made);
          lines.push(...disturb(rnd, how, pick(rnd, [carl, namesake]), made, wanted));
        }
        lines.sort((one, other) => one.at - other.at);
        const restartsAt = round === 1 ? -1 : Math.floor(lines.length * (0.4 + rnd() * 0.5));
        await write(log, { clock, lines, rnd, restartsAt });
        for (const [memberId, { id }] of Object.entries(own)) {
          const found = (await findChallenge(db, 'p', memberId, clock.now()))?.found;
          if (found == null || typeof found === 'string') continue;
          const { playerId } = found;
          const row = await db
            .selectFrom('player')
            .select('dayz_id')
            .where('id', '=', playerId)
            .executeTakeFirstOrThrow();
          if (row.dayz_id !== id) continue;
          expect(await confirmChallenge(db, 'p', memberId, { playerId, now: clock.now() })).toBe('linked');
          linked.add(memberId);
          if (round === 0) linkedAtOnce += 1;
        }
      }
      const players = await db.selectFrom('player').select(['id', 'dayz_id']).execute();
      const idOf = (playerId: number) => players.find(({ id }) => id === playerId)?.dayz_id;
      const links = (await storedLinks(db)).map(({ memberId, playerId }) => [memberId, idOf(playerId)]);
      expect([seed, ...links]).toEqual([seed, ['1', aksel.id], ['2', berit.id]]);
    }
    expect(linkedAtOnce).toBeGreaterThan(replays / 2);
  },
  300_000,
);
