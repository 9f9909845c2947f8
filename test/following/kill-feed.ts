import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { startLocalDiscord } from 'local-discord';
import { seededRandom } from '../../src/demo/random.ts';
import { createWorkplace, type Running } from '../harness/outpost-process.ts';
import { createKillLog } from './kill-log.ts';
import { createVisitLog, watchVisitors } from './visit-log.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000001';
const channelId = '1100000000000000101';
const longestLifeMs = 2_000;
/** Shorter than a message in doubt is repeated: after that it is left out. */
const awayMs = 100_000;
const patienceMs = 300_000;

export interface KillFeedResult {
  /** The victims, in the order in which they died; or the visitors, as they came. */
  died: string[];
  /** The same in the order of the channel's messages. */
  posted: string[];
  /** Requests that Discord refused because there were too many. */
  limited: number;
}

/**
 * Lets a process post what a log reports while it is killed with SIGKILL again and again: while a message is on its way that
 * arrives or does not, and at any moment. One time in five, it stays away for most of the time in which a message in doubt is repeated.
 */
export async function killWhilePosting(options: {
  kills: number;
  seed: number;
  /** Watched players who come on, instead of kills. */
  ofVisits?: boolean;
}): Promise<KillFeedResult> {
  const { ofVisits = false } = options;
  const random = seededRandom(options.seed);
  let skippedMs = 0;
  const discord = await startLocalDiscord({
    // More than the logins of a day, which discord.js does not exceed.
    sessionStarts: 1_000_000,
    token,
    guilds: [{ id: guildId, name: 'G', channels: [{ id: channelId, name: 'kills' }] }],
    messageLimits: { perChannel: { count: 5, windowMs: 5_000 } },
    now: () => Date.now() + skippedMs,
  });
  const place = await createWorkplace();
  const log = (ofVisits ? createVisitLog : createKillLog)(join(place.folder, 'logs'));
  const store = join(place.folder, 'data', 'outpost.sqlite');
  const start = (): Promise<Running> =>
    place.start({ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl });
  const posted = (): string[] =>
    discord
      .messages(channelId)
      .flatMap(({ embeds: [embed] }) =>
        ofVisits
          ? [...(embed?.title ?? '').matchAll(/(v\d+) is on/g)]
          : [...(embed?.description ?? '').matchAll(/\*\*(v\d+)\*\*/g)],
      )
      .map(([, name = '']) => name);

  /** Kills the process as its next message arrives, with the message or instead of it; or after a while. */
  async function interrupt(outpost: Running): Promise<void> {
    const arrives = random() < 0.5;
    const onArrival = random() < 0.7;
    const lift = discord.fail(
      ({ method, path }) => {
        if (!onArrival || method !== 'POST' || !path.endsWith('/messages')) return false;
        outpost.signal('SIGKILL');
        return true;
      },
      { cut: true, afterwards: arrives },
      Infinity,
    );
    await sleep(random() * longestLifeMs);
    log.kill();
    if (random() < 0.5) log.kill();
    await Promise.race([outpost.ended, sleep(random() * longestLifeMs)]);
    outpost.signal('SIGKILL');
    await outpost.ended;
    lift();
  }

  try {
    await place.configure({
      projects: [
        {
          slug: 'p',
          name: 'P',
          servers: [{ id: 's', name: 'S', host: '127.0.0.1', port: 2302, logs: log.folder }],
        },
      ],
      // However slow the machine is, no death becomes too old to be posted.
      discord: {
        guilds: [{ id: guildId }],
        ...(ofVisits
          ? { alerts: [{ channelId, servers: ['s'], watched: {} }] }
          : { killFeeds: [{ channelId, servers: ['s'], maxAgeMinutes: 120 }] }),
        locale: 'en-US',
        presence: false,
      },
    });
    let outpost = await start();
    if (ofVisits) {
      await until(() => discord.requests.length > 0);
      await outpost.stop();
      watchVisitors(store);
      outpost = await start();
    }
    // What stands in the log when it is found is its past.
    await until(() => {
      log.warmUp();
      return discord.messages(channelId).length > 0;
    }, 1_000);
    for (let done = 0; done < options.kills; done += 1) {
      await interrupt(outpost);
      if (done % 5 === 4) {
        skippedMs += awayMs;
        backdate(store);
      }
      outpost = await start();
    }
    await until(() => posted().length >= log.died.length);
    await outpost.stop();
    const limited = discord.requests.filter(({ status }) => status === 429).length;
    return { died: log.died, posted: posted(), limited };
  } finally {
    await place.remove();
    await discord.close();
  }
}

async function until(met: () => boolean, everyMs = 100): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!met() && performance.now() < deadline) await sleep(everyMs);
}

/** Makes it look as if the message that was under way had been sent that much earlier. */
function backdate(file: string): void {
  const sqlite = new SQLite(file);
  try {
    const rows = sqlite
      .prepare("SELECT key, value FROM keyv WHERE key LIKE '%feed:%' OR key LIKE '%watch:%'")
      .all();
    for (const { key, value } of rows as { key: string; value: string }[]) {
      const stored = JSON.parse(value) as { value: { inDoubt: { since: number } | null } };
      const { inDoubt } = stored.value;
      if (inDoubt === null) continue;
      inDoubt.since -= awayMs;
      sqlite.prepare('UPDATE keyv SET value = ? WHERE key = ?').run(JSON.stringify(stored), key);
    }
  } finally {
    sqlite.close();
  }
}
