import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalDiscord, type Invocation, type LocalDiscord } from 'local-discord';
import { compose, type ComposeOptions, type Outpost } from '../../src/compose/compose.ts';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../src/demo/game-server.ts';
import { systemClock } from '../../src/process/clock.ts';
import {
  config,
  elsewhere,
  guilds,
  home,
  manager,
  member,
  own,
  servedServers,
  textOf,
  token,
} from '../compose/added-servers-world.ts';

let folder: string;
let discord: LocalDiscord;
let game: SimulatedGameServer;
let outpost: Outpost;
let lines: { msg: string; [key: string]: unknown }[];
let monotonicOffset: number;

async function start(settings = config(), more: Partial<ComposeOptions> = {}): Promise<void> {
  const onlineBefore = timesOnline();
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  outpost = await compose({
    config: settings,
    environment: { configFile: '', dataFolder: folder, discordToken: token, discordApiUrl: discord.apiUrl },
    log: pino({ level: 'info' }, { write }),
    silenceMs: 0,
    clock: { ...systemClock, monotonic: () => systemClock.monotonic() + monotonicOffset },
    ...more,
  });
  await expect.poll(timesOnline).toBeGreaterThan(onlineBefore);
  await expect.poll(() => discord.commands().length).toBeGreaterThan(0);
}

const timesOnline = (): number => lines.filter(({ msg }) => msg.includes('the bot is online')).length;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-added-'));
  lines = [];
  monotonicOffset = 0;
  game = await startSimulatedGameServer({ name: 'N', map: 'enoch', maxPlayers: 60, players: 12 });
  discord = await startLocalDiscord({
    token,
    guilds,
    acknowledgeWithinMs: 60_000,
  });
});
afterEach(async () => {
  await outpost.close();
  await discord.close();
  await game.close();
  await rm(folder, { recursive: true, force: true });
});

const shownServers = () => servedServers(outpost.url, folder);

const use = (commandName: string, options = {}, user: typeof member = manager, where = home) =>
  discord.invoke({ ...where, user, commandName, options, evenIfHidden: true });

type Typed = Partial<Record<'name' | 'host' | 'port' | 'queryPort', string>>;

/** Opens the form, fills it in and sends it. */
async function add(typed: Typed = {}, user: typeof member = manager): Promise<Invocation> {
  const opened = await use('outpost server add', { game: 'dayz' }, user);
  expect(opened.acknowledgement).toBe('modal');
  const fields = {
    name: 'Added | Livonia',
    host: '127.0.0.1',
    port: '2402',
    queryPort: `${game.port}`,
    ...typed,
  };
  return await discord.submit({ openedBy: opened.id, user, fields });
}

describe('/outpost server', () => {
  it('adds a server that the service, the bot and the poller have at once', async () => {
    await start();
    // What the bot knows by now must not hide the new server.
    expect(textOf(await use('status'))).toContain('Chernarus');
    const added = await add();
    expect(added.ephemeral).toBe(true);
    expect(textOf(added)).toContain('It answered the query: 12 / 60 · enoch.');
    const status = textOf(await use('status', { server: 'added-livonia' }));
    expect(status).toContain('Added | Livonia');
    expect(status).toContain('12 / 60');
    const before = game.queries.info;
    await expect.poll(() => game.queries.info).toBeGreaterThan(before);
    expect(textOf(await use('online', { server: 'added-livonia' }))).toMatch(/12[^]*Time online/);
    const listed = textOf(await use('outpost server list'));
    expect(listed).toContain('**Added | Livonia** · DayZ · `127.0.0.1:2402');
    expect(listed).toContain(`<@${manager.id}>`);
    const logged = lines.find(({ msg }) => msg.includes('a member added server added-livonia'));
    expect(logged).toMatchObject({
      userId: manager.id,
      guildId: home.guildId,
      host: '127.0.0.1',
      port: 2402,
    });
    expect(await shownServers()).toEqual(['northwood-1', 'added-livonia']);
  });

  it('finds the query port itself, and keeps it for the live list', async () => {
    await start();
    const added = await add({ port: `${game.port}`, queryPort: '' });
    expect(textOf(added)).toContain('12 / 60');
    expect(textOf(await use('online', { server: 'added-livonia' }))).not.toContain('no query port');
  });

  it('adds a server that does not answer, and says so in the same words whatever is there', async () => {
    await start();
    game.setOnline(false);
    const silent = textOf(await add());
    expect(silent).toContain("It didn't answer the query.");
    await use('outpost server remove', { server: 'added-livonia' });
    game.setOnline(true);
    game.setGarbage(true);
    expect(textOf(await add())).toBe(silent);
    const { port } = game;
    await use('outpost server remove', { server: 'added-livonia' });
    await game.close();
    expect(textOf(await add({ queryPort: `${port}` }))).toBe(silent);
    game = await startSimulatedGameServer({ name: 'N', map: 'enoch', maxPlayers: 60, players: 12 });
  });

  it('keeps an added server after a restart and after reloads, and its removal too', async () => {
    await start();
    await add();
    await outpost.reload(config({ locale: 'de' }));
    expect(await shownServers()).toEqual(['northwood-1', 'added-livonia']);
    await outpost.close();
    await start();
    expect(await shownServers()).toEqual(['northwood-1', 'added-livonia']);
    const removed = await use('outpost server remove', { server: 'added-livonia' });
    expect(textOf(removed)).toContain('**Added | Livonia** is no longer shown.');
    expect(await shownServers()).toEqual(['northwood-1']);
    expect(textOf(await use('outpost server list'))).toContain('Nobody has added a server yet.');
    expect(lines.some(({ msg, userId }) => msg.includes('removed server') && userId === manager.id)).toBe(
      true,
    );
    await outpost.reload(config());
    expect(await shownServers()).toEqual(['northwood-1']);
    // The same address brings it back under its id.
    await add({ name: 'Another name' });
    expect(await shownServers()).toEqual(['northwood-1', 'added-livonia']);
  });

  it('gives a server to the config when the config has its id, and says when the address differs', async () => {
    await start();
    await add();
    const taken = {
      id: 'added-livonia',
      name: 'Livonia',
      host: '127.0.0.1',
      port: 2402,
      queryPort: game.port,
    };
    await outpost.reload(config({}, [own, taken]));
    expect(lines.some(({ msg }) => msg.includes('is in the config now and belongs to it'))).toBe(true);
    expect(textOf(await use('outpost server list'))).toContain('Nobody has added');
    expect(textOf(await use('outpost server remove', { server: 'added-livonia' }))).toContain('Not found');
    await outpost.reload(config());
    expect(await shownServers()).toEqual(['northwood-1']);
    await add({ name: 'Third', port: '2602' });
    await outpost.reload(config({}, [own, { ...own, id: 'third' }]));
    const conflict = lines.find(({ msg }) => msg.includes('replaces one with the same id'));
    expect(conflict?.msg).toContain('127.0.0.1:2302 now, no longer 127.0.0.1:2602');
  });

  it('is for members who may manage a home guild, whenever they send the form', async () => {
    await start();
    expect(textOf(await use('outpost server add', { game: 'dayz' }, member))).toContain(
      'permission to manage',
    );
    for (const [name, options] of [
      ['add', { game: 'dayz' }],
      ['remove', { server: 'x' }],
      ['list', {}],
    ] as const) {
      const answer = await use(`outpost server ${name}`, options, manager, elsewhere);
      expect(textOf(answer)).toContain('has approved');
    }
    const completed = { ...elsewhere, user: manager, commandName: 'outpost server add' };
    expect(await discord.autocomplete({ ...completed, focused: { name: 'game', value: 'dayz' } })).toEqual(
      [],
    );

    const opened = await use('outpost server add', { game: 'dayz' });
    const fields = { name: 'N', host: '127.0.0.1', port: '2402', queryPort: `${game.port}` };
    const powerless = { ...manager, permissions: 0n };
    const late = await discord.submit({ openedBy: opened.id, user: powerless, fields });
    expect(textOf(late)).toContain('permission to manage');
    // A form of somebody else, and one that the bot never opened.
    const [, , , owner = ''] = (opened.modal?.customId ?? '').split(':');
    for (const customId of [
      opened.modal!.customId.replace(owner, '1'),
      'o1:outpost:addserver',
      'o1:outpost:nothing:1',
      'o1:status:addserver:1',
      'x',
    ]) {
      const forged = await discord.submit({ openedBy: opened.id, user: manager, fields, customId });
      expect(forged.ephemeral).toBe(true);
    }
    expect(await shownServers()).toEqual(['northwood-1']);
  });

  it.each([
    ['a port that is none', { port: '0' }, "isn't a port"],
    ['a query port that is none', { queryPort: '99999' }, "isn't a port"],
    ['an odd notation of an address', { host: '0x7f.1' }, "isn't an address"],
    ['a port in the address', { host: 'play.example.org:27016' }, "isn't an address"],
    ['an invisible name', { name: '\u200b' }, 'visible characters'],
    ['an address that the owner did not open', { host: '169.254.169.254' }, "isn't a public address"],
    ['a server that is there already', { port: '2302' }, 'is already here, as **Northwood | Chernarus**'],
  ])('refuses %s, and adds nothing', async (_, typed, text) => {
    await start();
    expect(textOf(await add(typed))).toContain(text);
    expect(await shownServers()).toEqual(['northwood-1']);
  });

  it('queries no private address without allowPrivateServers, by name either, and stops when it is withdrawn', async () => {
    let addresses = ['127.0.0.1'];
    const lookup: ComposeOptions['lookup'] = async () => addresses.map((address) => ({ address, family: 4 }));
    await start(config({ allowPrivateServers: false }), { lookup });
    expect(textOf(await add())).toContain("isn't a public address");
    expect(textOf(await add({ host: 'play.example.org' }))).toContain("isn't a public address");
    addresses = [];
    expect(textOf(await add({ host: 'nobody.example.org' }))).toContain('found no address');
    expect(game.queries.info).toBe(0);

    await outpost.reload(config());
    expect(textOf(await add())).toContain('12 / 60');
    await outpost.reload(config({ allowPrivateServers: false }));
    // The query after its addition may still have been under way.
    await outpost.poll();
    const before = game.queries.info;
    // A server is shown as it was until two checks have failed.
    await outpost.poll();
    await outpost.poll();
    expect(game.queries.info).toBe(before);
    // The bot shows an answer of the service again for some seconds.
    monotonicOffset += 10_000;
    expect(textOf(await use('status', { server: 'added-livonia' }))).not.toContain('12 / 60');
  });

  it('limits attempts of a member and of a guild, and servers of a project', async () => {
    await start(config({ maxAddedServers: 2 }));
    await add({ port: '2402' });
    await add({ port: '2502', queryPort: '2503' });
    expect(textOf(await add({ port: '2602', queryPort: '2603' }))).toContain('at most 2 servers');
    await add({ host: 'x y' });
    await add({ host: 'x y' });
    expect(textOf(await add())).toContain('Too many servers');
    const others = Array.from({ length: 3 }, (_, index) => ({
      ...manager,
      id: `110000000000000040${index}`,
    }));
    for (const user of others) for (let i = 0; i < 5; i += 1) await add({ host: 'x y' }, user);
    expect(textOf(await add({}, { ...manager, id: '1100000000000000409' }))).toContain('Too many servers');
    monotonicOffset += 3_600_000;
    expect(textOf(await add({ host: 'x y' }))).toContain("isn't an address");
    await outpost.reload(config({ maxAddedServers: 0 }));
    expect(textOf(await add({ port: '2702', queryPort: '2703' }))).toContain('turned off');
  });

  it('queries nothing for a member when no server can be added', async () => {
    await start(config({ maxAddedServers: 0 }));
    expect(textOf(await add())).toContain('turned off');
    await outpost.reload(config({ maxAddedServers: 1 }));
    await add({ port: '2502', queryPort: '2503' });
    expect(textOf(await add())).toContain('at most 1 server');
    expect(game.queries.info).toBe(0);
  });

  it("does not count a member's refused attempts against the guild", async () => {
    await start();
    for (let attempt = 0; attempt < 17; attempt += 1) {
      // Two seconds later, as the bot's limit for commands is another one.
      monotonicOffset += 2_000;
      await add({ host: 'x y' });
    }
    expect(textOf(await add())).toContain('Too many servers');
    expect(textOf(await add({}, { ...manager, id: '1100000000000000409' }))).toContain('12 / 60');
  });

  it('resolves one host of members at a time, whatever the resolver does', async () => {
    let running = 0;
    let most = 0;
    const lookup: ComposeOptions['lookup'] = async () => {
      most = Math.max(most, (running += 1));
      // A slow resolver, so that the second lookup comes while the first one runs.
      await delay(500);
      running -= 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    await start(config(), { lookup });
    const hosts = ['a.example.org', 'b.example.org'];
    await Promise.all(hosts.map((host, index) => add({ host, port: `${2402 + index}` })));
    expect(most).toBe(1);
  });

  it('adds one server when a form is sent twice at once', async () => {
    await start();
    const { id: openedBy } = await use('outpost server add', { game: 'dayz' });
    const fields = { name: 'Twice', host: '127.0.0.1', port: '2402', queryPort: `${game.port}` };
    const sent = await Promise.all([
      discord.submit({ openedBy, user: manager, fields }),
      discord.submit({ openedBy, user: manager, fields }),
    ]);
    expect(sent.filter((one) => textOf(one).includes('Server added'))).toHaveLength(1);
    expect(await shownServers()).toEqual(['northwood-1', 'twice']);
  });

  it('shows what a hostile server and a hostile name say as text', async () => {
    await game.close();
    game = await startSimulatedGameServer({
      name: '@everyone',
      map: '**@everyone** [x](https://example.org) <@1>',
      maxPlayers: 60,
      players: 12,
    });
    await start();
    const answer = textOf(await add({ name: '@everyone **x** `y` <@123456789012345678>' }));
    expect(answer).toContain('\\*\\*@\u200beveryone\\*\\*');
    expect(answer).toContain('\\[x\\](https\\:');
    expect(textOf(await use('outpost server list'))).toContain('@\u200beveryone \\*\\*x\\*\\*');
  });

  it('is completed at once after it was added, and no more after it was removed', async () => {
    await start();
    const focused = { name: 'server', value: '' };
    const completed = async () =>
      (await discord.autocomplete({ ...home, user: manager, commandName: 'status', focused })).map(
        ({ name }: { name: string }) => name,
      );
    expect(await completed()).toEqual([own.name]);
    expect(textOf(await add())).toContain('Server added');
    // The client may still have the earlier answer for a moment, and the list is read again then.
    monotonicOffset += 4_000;
    expect(await completed()).toEqual([own.name, 'Added | Livonia']);
    await use('outpost server remove', { server: 'added-livonia' });
    monotonicOffset += 4_000;
    expect(await completed()).toEqual([own.name]);
  });

  it('completes games and added servers, and refuses a game that it does not offer', async () => {
    await start();
    const complete = (commandName: string, name: string, value: string) =>
      discord.autocomplete({ ...home, user: manager, commandName, focused: { name, value } });
    const games = await complete('outpost server add', 'game', 'dayz');
    expect(games[0]).toEqual({ name: 'DayZ', value: 'dayz' });
    expect(await complete('outpost server add', 'game', 'palworld')).toEqual([]);
    expect(await complete('outpost server add', 'game', '')).toHaveLength(25);
    for (const name of ['palworld', 'no such game', 'a', 'constructor']) {
      expect(textOf(await use('outpost server add', { game: name }))).toContain('Choose a game');
    }
    await add();
    const added = await complete('outpost server remove', 'server', 'liv');
    expect(added).toEqual([{ name: 'Added | Livonia', value: 'added-livonia' }]);
  });
});
