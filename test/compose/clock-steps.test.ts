import { appendFile, mkdir, mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { scopes } from '../../src/api/access.ts';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../src/demo/game-server.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../src/server/store/repositories/applications/credentials.ts';
import { createApplication } from '../../src/server/store/repositories/applications/applications.ts';
import { openWriter, storeFile, type WriteDatabase } from '../../src/server/store/engine/database.ts';
import { channelId, guildId, token } from '../bot/discord-world.ts';
import { expectAnsweredOnce, isReadable } from '../bot/faults.ts';
import { createTestClock, type TestClock } from '../harness/clock.ts';
import { storeBan } from '../harness/northwood.ts';
import { databaseContents } from '../harness/store-digest.ts';
import { samples, temporaryStore } from '../server/ingest/fixture.ts';
import { createSourceWatch } from '../harness/logs.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Up and back by an hour, then by a day. */
const stepsOfHours = [1, -1, 24, -24];
const alertChannelId = '1100000000000000201';
const postChannelId = '1100000000000000202';
const patient = { timeout: 60_000, interval: 20 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-clock-steps-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Everything that `outpost start` starts, in a time that runs twenty times as fast. */
interface Running extends AsyncDisposable {
  outpost: Outpost;
  clock: TestClock;
  discord: LocalDiscord;
  alpha: SimulatedGameServer;
  beta: SimulatedGameServer;
  writer: WriteDatabase;
  /** Warnings and errors of the log. */
  problems: string[];
  /** Lets no time pass until `work` is done. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
}

async function start(): Promise<Running> {
  const clock = createTestClock(Date.now());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const channels = [channelId, alertChannelId, postChannelId].map((id) => ({
    id,
    name: `c-${id.slice(-3)}`,
  }));
  const discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'Northwood', channels }],
    acknowledgeWithinMs: 60_000,
  });
  const game = { map: 'enoch', maxPlayers: 60, players: 5 };
  const alpha = await startSimulatedGameServer({ ...game, name: 'Alpha' });
  const beta = await startSimulatedGameServer({ ...game, name: 'Beta' });
  const server = (id: string, { port: queryPort }: SimulatedGameServer) => ({
    id,
    name: id,
    host: '127.0.0.1',
    port: 2302,
    queryPort,
  });
  const config = configSchema.parse({
    http: { port: 0 },
    live: { pollSeconds: 5 },
    projects: [
      {
        slug: 'northwood',
        name: 'Northwood',
        servers: [server('alpha', alpha), server('beta', beta)],
        banlists: [{ id: 'bans', name: 'Bans', public: true }],
      },
    ],
    discord: {
      statusPosts: [{ channelId: postChannelId, servers: ['alpha'], chart: 'none', cron: '*/5 * * * * *' }],
      alerts: [{ channelId: alertChannelId, servers: ['beta'], down: { afterMinutes: 3 } }],
    },
  });
  const problems: string[] = [];
  const outpost = await compose({
    config,
    environment: {
      configFile: '',
      dataFolder: folder,
      discordToken: token,
      discordApiUrl: discord.apiUrl,
    },
    log: pino(
      { level: 'warn' },
      {
        write(line: string) {
          // That Beta is down is a warning, too.
          if (!line.includes('server check failed')) problems.push(line);
        },
      },
    ),
    clock,
  });
  const writer = await openWriter(storeFile(folder), { busyTimeoutMs: 5_000 });
  const ending = new AbortController();
  let held = false;
  const passing = (async () => {
    while (!ending.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (held) continue;
      clock.advance(second);
      vi.advanceTimersByTime(second);
    }
  })();
  return {
    outpost,
    clock,
    discord,
    alpha,
    beta,
    writer,
    problems,
    async hold(work) {
      held = true;
      return await work().finally(() => (held = false));
    },
    async [Symbol.asyncDispose]() {
      await outpost.close();
      ending.abort();
      await passing;
      vi.useRealTimers();
      await Promise.all([writer.close(), discord.close(), alpha.close(), beta.close()]);
    },
  };
}

/** An application of its own, with the limit that its owner gave it. */
async function startCaller({ outpost, writer, clock }: Running, requestsPerMinute: number) {
  const [id, secret] = [newApplicationId(), newSecret()];
  const application = { id, projectSlug: 'northwood', name: 'test', secretHash: hashSecret(secret), scopes };
  await createApplication(writer.db, application, clock.now());
  await writer.db
    .updateTable('application')
    .set({ requests_per_minute: requestsPerMinute })
    .where('id', '=', id)
    .execute();
  const headers = { 'User-Agent': id, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ application_id: id, secret });
  const registered = await fetch(`${outpost.url}/v1/auth/register`, { method: 'POST', headers, body });
  const { token: bearer } = (await registered.json()) as { token: string };
  return async (path: string) => {
    const answer = await fetch(outpost.url + path, {
      headers: { ...headers, Authorization: `Bearer ${bearer}` },
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
}

/** Members who ask one after the other until the result is called, which gives what they were answered. */
function startMembers({ discord }: Running): () => Promise<string[]> {
  const commands = ['status', 'online', 'schedule'];
  const ending = new AbortController();
  const answers: string[] = [];
  const asking = (async () => {
    for (let asked = 0; !ending.signal.aborted && asked < 400; asked += 1) {
      const answer = await discord.invoke({
        guildId,
        channelId,
        user: { id: `${1_100_000_000_000_001_000n + BigInt(asked % 20)}`, username: `m${asked % 20}` },
        commandName: commands[asked % commands.length] as string,
        options: commands[asked % commands.length] === 'online' ? { server: 'alpha' } : {},
      });
      expectAnsweredOnce(discord, answer);
      answers.push(JSON.stringify(answer.message?.embeds));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  asking.catch(() => undefined);
  return async () => {
    ending.abort();
    await asking;
    return answers;
  };
}

it('serves, posts and alerts as if nothing was while the wall clock is set by an hour and a day', async () => {
  await using running = await start();
  const { clock, discord, alpha, beta, writer } = running;
  const titles = () => discord.messages(alertChannelId).map(({ embeds }) => embeds[0]?.title);
  const post = () => JSON.stringify(discord.messages(postChannelId)[0]?.embeds ?? null);
  const stored = async (serverId: string) =>
    await writer.db
      .selectFrom('server_state')
      .select(['status', 'checked_at'])
      .where('server_id', '=', serverId)
      .executeTakeFirstOrThrow();
  const banned = async (get: Awaited<ReturnType<typeof startCaller>>) =>
    (await get('/v1/banlists/bans/bans')).body.bans.length;

  await expect.poll(post, patient).toContain('5 / 60');
  const old = await startCaller(running, 1_000);
  await storeBan(writer.db, 'bans', { expiresAt: clock.now() + 40 * minute });
  expect(await banned(old)).toBe(1);
  // Long enough for the alert to have seen Beta.
  await expect.poll(async () => (await stored('beta')).status, patient).toBe('ONLINE');
  const membersAnswers = startMembers(running);
  beta.setOnline(false);

  for (const [index, hours] of stepsOfHours.entries()) {
    const queries = alpha.queries.info;
    const refused = await running.hold(async () => {
      const spent = await startCaller(running, 3);
      for (let request = 0; request < 3; request += 1) await spent('/v1/project');
      alpha.setPlayers(10 + index);
      clock.step(hours * hour);
      return await spent('/v1/project');
    });

    // Limits do not notice; tokens and bans go by the wall clock.
    if (hours === 24) {
      expect(refused.status).toBe(401);
      expect((await old('/v1/project')).status).toBe(401);
      expect(await banned(await startCaller(running, 100))).toBe(0);
    } else {
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      // A ban that has ended by then is back with the next upkeep, once a minute.
      await expect.poll(() => banned(old), patient).toBe(hours > 0 ? 0 : 1);
    }
    // The server goes on being checked, by the new time, and the post shows it.
    await expect.poll(() => alpha.queries.info, patient).toBeGreaterThanOrEqual(queries + 3);
    await expect
      .poll(async () => Math.abs(clock.now() - (await stored('alpha')).checked_at), patient)
      .toBeLessThan(minute);
    await expect.poll(post, patient).toContain(`${10 + index} / 60`);
    expect(post()).not.toContain('⚠️ Last checked');
    // The alert comes once, after the first two steps, and its end after the last.
    if (index === 1) await expect.poll(titles, patient).toEqual(['🔴 beta is down']);
    if (index === 2) beta.setOnline(true);
  }
  await expect.poll(titles, patient).toEqual(['🔴 beta is down', '🟢 beta is back online']);

  const answers = await membersAnswers();
  expect(answers.length).toBeGreaterThan(20);
  expect(
    answers.filter((answer) =>
      /couldn't refresh|unexpected error|service isn't responding|limit/i.test(answer),
    ),
  ).toEqual([]);
  expect(titles()).toHaveLength(2);
  expect(discord.messages(postChannelId)).toHaveLength(1);
  const sent = discord.requests.filter(({ path }) => path.startsWith(`/channels/${postChannelId}/messages`));
  expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(
    sent.filter(
      ({ status, body }) => status !== 200 || /count unknown|Couldn't get/.test(JSON.stringify(body)),
    ),
  ).toEqual([]);
  expect(discord.messages(postChannelId).every(isReadable)).toBe(true);
  expect(running.problems).toEqual([]);
}, 120_000);

it('counts followed logs the same when the clock is set by hours and days while they grow', async () => {
  const names = ['03_071902463', '05_180038009', '06_000115255', '06_060540635'];
  const logs = names.map((name) => `DayZServer_x64_2021_04_${name}.ADM`);
  const logFolder = join(folder, 'logs');

  /** Follows logs that come and grow, with the clock set after each third part, and gives what is stored then. */
  async function followed(hours: readonly number[]): Promise<Record<string, string[]>> {
    await rm(logFolder, { recursive: true, force: true });
    await mkdir(logFolder);
    const storeAt = await mkdtemp(join(folder, 'store-'));
    const db = await temporaryStore(['s'], 'Europe/Berlin', storeAt);
    const clock = createTestClock(Date.parse('2021-04-06T00:00:00.000Z'));
    const watch = createSourceWatch(db, { clock });
    const sources = { servers: [{ id: 's', logs: logFolder }], banlists: [] };
    let parts = 0;
    for (const name of logs) {
      const bytes = await readFile(join(samples, 'server-a', name));
      const file = join(logFolder, name);
      for (let at = 0; at < bytes.length; at += 4_096, parts += 1) {
        clock.advance(20 * second);
        await appendFile(file, bytes.subarray(at, at + 4_096));
        // The game server stands on the same machine.
        await utimes(file, clock.now() / 1_000, clock.now() / 1_000);
        if (parts % 3 === 0) clock.step((hours[(parts / 3) % hours.length] ?? 0) * hour);
        await (parts % 4 === 0 ? watch.importChanged(sources) : watch.followOn(sources));
      }
    }
    for (let look = 0; look < 12; look += 1) {
      clock.advance(minute);
      await watch.importChanged(sources);
    }
    // Which file is being written is judged by its time: one from the future stays open. What it says counts all the same.
    const { log_file: _, log_file_player: __, ...figures } = await databaseContents(db);
    return figures;
  }

  const expected = await followed([]);
  expect(expected['log_run']?.length).toBeGreaterThan(logs.length);
  expect(expected['player_stats']?.length).toBeGreaterThan(10);
  expect(await followed(stepsOfHours)).toEqual(expected);
  expect(await followed([-24, 48, -25, 1])).toEqual(expected);
});
