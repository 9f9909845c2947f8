import { describe, expect, test } from 'vitest';
import type { ByteSource } from '../../../../src/server/files/blocks.ts';
import { importEvents } from '../../../../src/server/ingest/logs/importing/import-events.ts';
import type { GameEvent } from '../../../../src/server/ingest/counting/events.ts';
import {
  contents,
  idA,
  idB,
  run,
  sampleLogs,
  sampleServers,
  statsOf,
  temporaryFiles,
  temporaryStore,
} from '../fixture.ts';
import { importLogs, readLogEvents } from '../../../harness/logs.ts';

/** Bytes that come a few at a time, as through a pipe. */
function sourceOf(text: string, piece = 1 << 16): ByteSource {
  const bytes = Buffer.from(text);
  return {
    read: async (buffer, offset, length, position) => ({
      bytesRead: bytes.copy(buffer, offset, position, position + Math.min(length, piece)),
    }),
  };
}

async function eventsOf(files: readonly string[], timezone: string): Promise<string> {
  const lines: string[] = [];
  const report = await readLogEvents(files, timezone, (event) => lines.push(JSON.stringify(event)));
  expect(report.failures).toEqual([]);
  return `${lines.join('\n')}\n`;
}

const player = (id: string, name: string) => ({ id, name });
const lines = (...events: (GameEvent | object | string)[]): string =>
  events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))).join('\n');

describe('events of a log, printed and counted again', () => {
  test.each(sampleServers)('%s: give what the log gives', async (server) => {
    const direct = await temporaryStore([server], 'Europe/Berlin');
    await importLogs(direct, { serverId: server, files: sampleLogs(server) });
    const events = await eventsOf(sampleLogs(server), 'Europe/Berlin');
    const through = await temporaryStore([server], 'Europe/Berlin');
    const report = await importEvents(through, {
      serverId: server,
      name: 'x',
      source: sourceOf(events, 777),
    });
    expect(report.events).toBe(events.split('\n').length - 1);
    const [theirs, ours] = [await contents(direct), await contents(through)];
    expect(ours).toMatchObject({
      players: (theirs as { players: unknown }).players,
      aliases: (theirs as { aliases: unknown }).aliases,
      stats: (theirs as { stats: unknown }).stats,
      effects: (theirs as { effects: unknown }).effects,
      deaths: (theirs as { deaths: unknown }).deaths,
    });
  });

  test('are the same run with and without what an older version left out', async () => {
    const victim = `Player "A" (DEAD) (id=${idA} pos=<1, 2, 3>)`;
    const killer = `Player "B" (id=${idB} pos=<4, 5, 6>)`;
    const [log] = temporaryFiles({
      'x.ADM': run(
        `12:00:00 | ${killer} is connected`,
        `12:00:00 | ${killer} performed EmoteSalute`,
        `12:00:00 | Player "A" (id=${idA} pos=<7, 8, 9>)[HP: 50] hit by ${killer} into Torso(24) for 50 damage (Bullet_308Win) with SVD from 9 meters `,
        `12:00:01 | ${victim}[HP: 0] hit by ${killer} into Head(0) for 50 damage (Bullet_308Win) with SVD from 9 meters `,
        `12:00:01 | ${victim} killed by ${killer} with SVD from 9 meters `,
      ),
    }) as [string];
    const events = await eventsOf([log], 'UTC');
    const hit = events.split('\n').find((line) => line.includes('"hit"'));
    expect(JSON.parse(hit ?? '')).toMatchObject({
      cause: 'player',
      weapon: 'SVD',
      bodyPart: 'Torso',
      ammo: 'Bullet_308Win',
      position: { x: 7, z: 8 },
      attackerPosition: { x: 4, z: 5 },
    });
    const details =
      /,"(?:cause|weapon|bodyPart|ammo|gesture)":"[^"]*"|,"(?:position|\w+Position)":\{[^}]*\}|,"inGame":true/g;
    const older = events
      .replace('"kind":"gesture"', '"kind":"seen"')
      .replace(details, '')
      .replaceAll(/,"\w+":null(?=[,}])/g, (text) =>
        /attacker|killer"|victim|meters/.test(text) ? text : '',
      );
    expect(older).not.toMatch(/SVD|Torso|osition|inGame|Emote/);
    expect(events).toMatch(/inGame.*Emote/s);
    const db = await temporaryStore();
    const bring = async (text: string) =>
      await importEvents(db, { serverId: 's', name: 'x', source: sourceOf(text) });
    expect((await bring(older)).runs.new).toBe(1);
    expect((await bring(events)).runs).toMatchObject({ known: 1, diverged: 0 });
    expect(await db.selectFrom('death').select(['cause', 'weapon', 'meters']).execute()).toEqual([
      { cause: 'player', weapon: null, meters: 9 },
    ]);
    // As after an update that reads more of a log.
    await db.updateTable('log_run').set({ counts_version: 1 }).execute();
    await bring(events);
    expect(await db.selectFrom('death').select(['weapon', 'body_part']).execute()).toEqual([
      { weapon: 'SVD', body_part: 'Head' },
    ]);
  });

  test('twice, or after the log itself, change nothing', async () => {
    const files = sampleLogs('server-d');
    const events = await eventsOf(files, 'UTC');
    const db = await temporaryStore(['server-d']);
    const once = () => importEvents(db, { serverId: 'server-d', name: 'x', source: sourceOf(events) });
    const first = await once();
    expect(first.runs.new).toBeGreaterThan(50);
    const before = await contents(db);
    expect((await once()).runs).toEqual({ new: 0, longer: 0, known: first.runs.new, diverged: 0 });
    expect(await contents(db)).toEqual(before);

    const logged = await temporaryStore(['server-d']);
    await importLogs(logged, { serverId: 'server-d', files, beside: false });
    const both = await contents(logged);
    await importEvents(logged, { serverId: 'server-d', name: 'x', source: sourceOf(events) });
    expect(await contents(logged)).toEqual(both);
  });

  test('a log that has come further than its events counts in their place', async () => {
    const begun = [`12:00:00 | Player "A"(id=${idA}) is connected`];
    const ended = [...begun, `12:10:00 | Player "A"(id=${idA}) has been disconnected`];
    const db = await temporaryStore();
    const early = await eventsOf(temporaryFiles({ 'x.ADM': run(...begun) }), 'UTC');
    await importEvents(db, { serverId: 's', name: 'x', source: sourceOf(early) });
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': run(...ended) }) });
    expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 600 });
  });
});

describe('events of another reader', () => {
  const at = Date.parse('2024-05-01T12:00:00Z');
  const started = { kind: 'run-started', at, header: '2024-05-01 12:00:00' };

  test('are counted; a run that does not end is open until the last event', async () => {
    const db = await temporaryStore();
    const text = lines(
      {
        kind: 'identity',
        at: null,
        steamId64: '76561197998690788',
        battleyeGuid: null,
        dayzId: null,
        name: 'A',
      },
      started,
      { kind: 'connected', at, player: player(idA, 'A') },
      '',
      { kind: 'killed', at: at + 60_000, victim: player(idB, 'B'), killer: player(idA, 'A'), meters: 12.5 },
    );
    const report = await importEvents(db, { serverId: 's', name: 'x', source: sourceOf(text, 1) });
    expect(report).toEqual({
      serverId: 's',
      file: 'x',
      events: 4,
      runs: { new: 1, longer: 0, known: 0, diverged: 0 },
      players: 2,
    });
    expect(await statsOf(db, idA)).toMatchObject({
      player_kills: 1,
      longest_kill_meters: 12.5,
      total_play_seconds: 60,
    });
    expect(await statsOf(db, idB)).toMatchObject({ deaths: 1 });
  });

  test('a wrong line has the whole file refused, with its number and what was expected', async () => {
    const db = await temporaryStore();
    const text = lines(
      { kind: 'seen', at, player: player(idA, 'A') },
      started,
      'not json',
      { kind: 'danced', at },
      { kind: 'connected', at: 'noon', player: player(idA, 'A') },
      { kind: 'connected', at, player: player("'; DROP TABLE player;--", 'A') },
      { kind: 'connected', at, player: player('12345678901234567', 'A') },
      { ...started, header: '2024-13-01 12:00:00' },
      { kind: 'killed', at, victim: null, killer: null, meters: 1e9 },
      { kind: 'connected', at, player: player(idA, 'A'), extra: true },
      `"${'x'.repeat(200_000)}"`,
      { kind: 'run-ended', at },
    );
    const refused = importEvents(db, { serverId: 's', name: 'x.ndjson', source: sourceOf(text) });
    await expect(refused).rejects.toThrow(/^x\.ndjson: nothing was imported/);
    const message = await refused.catch((error: Error) => error.message);
    for (const said of [
      /line 1: "seen" outside of a run; expected "run-started"/,
      /line 3: is no JSON/,
      /line 4: kind: Invalid/,
      /line 5: at: Invalid/,
      /line 6: player\.id: expected an id/,
      /line 7: player\.id: is no SteamID64/,
      /line 8: header: is no date and time/,
      /line 9: meters: /,
      /line 10: Unrecognized key/,
      /line 11: is longer than 64 KiB/,
    ]) {
      expect(message).toMatch(said);
    }
    expect(await db.selectFrom('log_run').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('player').selectAll().execute()).toEqual([]);
  });

  test("a moment outside the range of the contract's dates is refused", async () => {
    const db = await temporaryStore();
    const text = lines(started, { kind: 'connected', at: 9e15, player: player(idA, 'A') });
    await expect(importEvents(db, { serverId: 's', name: 'x', source: sourceOf(text) })).rejects.toThrow(
      'line 2: at: expected epoch milliseconds',
    );
  });
});
