import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/api/client-types.ts';
import { createClient } from '../../src/api/client.ts';
import type { Reply } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/index.ts';
import { noCommunity } from '../../src/community/no-community.ts';
import { createStoredPlayers } from '../../src/community/stored-players.ts';
import { configSchema } from '../../src/config/schema.ts';
import { seededRandom } from '../../src/demo/random.ts';
import { importBanFile } from '../../src/server/ingest/bans/import.ts';
import { asker, context, type PartialContext } from '../commands/context.ts';
import { labelled, press } from '../commands/components.ts';
import { importLogs } from '../harness/logs.ts';
import { northwood } from '../harness/northwood.ts';
import { answerViolations } from '../harness/request-rules.ts';
import { startTestService, type Caller, type TestService } from '../harness/service.ts';
import { consoleLog, consoleLogName, consolePlayers, type Platform } from '../server/ingest/console-logs.ts';
import { storedFrom } from '../community/stored.ts';

/** Their logs hold players by ids of the platform, for which the service's contract has no key. */
const servers = { xbox: 'northwood-1', playstation: 'northwood-2' } as const;
const names = consolePlayers('xbox').map(({ name }) => name);
const startedAt = '2026-02-28 18:00:01';

let folder: string;
let service: TestService;
let caller: Caller;
let client: Client;
let common: PartialContext;

async function importLog(platform: Platform): Promise<void> {
  const file = join(folder, consoleLogName(platform, startedAt));
  await writeFile(file, consoleLog(platform, startedAt, seededRandom(platform.length)));
  expect((await importLogs(service.db, { serverId: servers[platform], files: [file] })).failures).toEqual([]);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-console-'));
  service = await startTestService(northwood());
  caller = await service.caller('northwood');
  client = createClient({ baseUrl: service.url, applicationId: caller.id, secret: caller.secret });
  const config = configSchema.parse(northwood());
  const clock = { now: () => service.clock.now, monotonic: service.clock.monotonic };
  const players = createStoredPlayers(storedFrom(() => config, service.db, clock));
  common = { client, community: { players }, now: service.clock.now };
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function lookup(identifier: string, over: PartialContext = {}): Promise<Reply> {
  const reply = await commands.lookup.run(context({ ...common, options: { identifier }, ...over }));
  expect(answerViolations(reply)).toEqual([]);
  return reply;
}
const title = (reply: Reply | null) => reply?.embeds[0]?.title;

describe('players of one console', () => {
  beforeAll(() => importLog('xbox'));

  it('stand on the leaderboards by name, without identifiers', async () => {
    const { body } = await caller.get('/v1/leaderboards?metric=PLAYTIME');
    const { rows } = body.leaderboards[0];
    expect(new Set(rows.map(({ player }: { player: { name: string } }) => player.name))).toEqual(
      new Set(names),
    );
    for (const { player } of rows) {
      expect(player).toMatchObject({ steamId64: null, battleyeGuid: null, cftoolsId: null });
    }
    const reply = await commands.top.run(context({ ...common, options: { metric: 'PLAYTIME' } }));
    expect(answerViolations(reply)).toEqual([]);
    expect(JSON.stringify(reply.embeds).replaceAll('\u00a0', ' ')).toContain('Some Gamertag');
  });

  it('are found by name, in whatever case', async () => {
    const reply = await lookup('some gamertag');
    expect(title(reply)).toBe('👤 Some Gamertag');
    expect(reply.embeds[0]?.description).toContain('Play time: **');
    expect(JSON.stringify(reply)).not.toContain(consolePlayers('xbox')[0]?.id);
    for (const name of names) expect(title(await lookup(name))).toContain('👤');
  });

  it('are offered for completion, and found by what was chosen', async () => {
    const choices = await commands.lookup.autocomplete?.({
      ...context(common),
      focused: { name: 'identifier', value: 'some' },
    });
    expect(choices?.map(({ name }) => name)).toEqual(['Some Gamertag']);
    expect(title(await lookup(choices?.[0]?.value ?? ''))).toBe('👤 Some Gamertag');
    // A bot on a remote service cannot find them.
    const elsewhere = await commands.lookup.autocomplete?.({
      ...context({ ...common, community: noCommunity }),
      focused: { name: 'identifier', value: 'some' },
    });
    expect(elsewhere).toEqual([]);
    expect(title(await lookup('Some Gamertag', { community: noCommunity }))).not.toContain('👤');
  });

  it('are told banned where a list bans their name, and not banned where it bans others', async () => {
    const moderator = { asker: asker({ permissions: 4n }), visibility: 'private' } as const;
    const details = async (name: string) =>
      (await press(labelled(await lookup(name, moderator), 'IDs, names and bans').customId, [], {
        ...common,
        ...moderator,
      }))!;
    const file = join(folder, 'names.txt');
    await writeFile(file, 'Some Gamertag\r\nsome gamertag 2\r\n');
    const report = await importBanFile(service.db, { listId: 'northwood-bans', file, format: 'nitrado' });
    expect(report).toMatchObject({ entries: 2, unread: 0 });
    const bans = (reply: Reply) => reply.embeds[0]?.fields?.find(({ name }) => name === 'Active bans')?.value;
    expect(bans(await details('Some Gamertag'))).toContain('🔨 Northwood bans');
    expect(bans(await details("O'Neil 99"))).toBe('✅ None. 1 list was checked in full.');
    const { body } = await caller.get('/v1/banlists/northwood-bans/bans');
    const check = async (identifier: string, over: PartialContext = {}) => {
      const reply = await commands.bans.run(
        context({ ...common, ...moderator, options: { identifier }, ...over }),
      );
      expect(answerViolations(reply)).toEqual([]);
      return title(reply);
    };
    expect(await check('some gamertag')).toBe('🔨 Banned');
    expect(await check('some gamertag 2')).toBe('🔨 Banned');
    expect(await check("O'Neil 99")).toBe('✅ Not banned');
    expect(await check('nobody of that name')).not.toMatch(/🔨|✅/);
    expect(body.bans.map(({ player }: { player: { name: string } }) => player.name)).toContain(
      'Some Gamertag',
    );
  });
});

describe('players of two consoles with one name', () => {
  beforeAll(() => importLog('playstation'));

  it('are told apart by a menu, which opens the one that is chosen', async () => {
    const several = await lookup('Some Gamertag');
    const menu = labelled(several, 'Choose a player');
    expect(menu.choices).toHaveLength(2);
    const opened = await Promise.all(menu.choices.map((one) => press(menu.customId, [one], common)));
    expect(opened.map(title)).toEqual(['👤 Some Gamertag', '👤 Some Gamertag']);
    expect(opened[0]?.embeds[0]?.fields).not.toEqual(opened[1]?.embeds[0]?.fields);
    const other = await press(menu.customId, ['stored.999999'], common);
    expect(title(other)).not.toContain('👤');
  });
});
