// How late a kill is in its feed, or a watched player in the moderators' channel: from the line in the server's log to the
// message, 100 one after the other, at a pace that a channel takes (about 20 messages a minute). Ends with 1 when the 99th of
// a hundred took longer than 3 s. Needs a built dist/.
//   npm run bench:feed -- [how many 100] [kills|visits]
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalDiscord } from 'local-discord';
import { createKillLog } from '../test/following/kill-log.ts';
import { createVisitLog, watchVisitors } from '../test/following/visit-log.ts';
import { createWorkplace } from '../test/harness/outpost-process.ts';
import { quantile } from './latency.ts';

const count = Number(process.argv[2] ?? 100);
const ofVisits = process.argv[3] === 'visits';
const boundMs = 3_000;
/** Later than this is as good as never. */
const patienceMs = 60_000;
const paceMs = 4_000;
const token = 'local-bench-token';
const channelId = '1100000000000000101';
const guild = { id: '1100000000000000001', name: 'G', channels: [{ id: channelId, name: 'kills' }] };

const place = await createWorkplace();
const discord = await startLocalDiscord({ token, guilds: [guild] });
const waits: number[] = [];
try {
  const log = (ofVisits ? createVisitLog : createKillLog)(join(place.folder, 'logs'));
  await place.configure({
    projects: [
      {
        slug: 'p',
        name: 'P',
        servers: [{ id: 's', name: 'S', host: '127.0.0.1', port: 2302, logs: log.folder }],
      },
    ],
    discord: {
      ...(ofVisits
        ? { alerts: [{ channelId, servers: ['s'], watched: {} }] }
        : { killFeeds: [{ channelId, servers: ['s'] }] }),
      locale: 'en-US',
      presence: false,
    },
  });
  const start = () => place.start({ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl });
  const outpost = await start();
  if (ofVisits) {
    while (discord.requests.length === 0) await sleep(100);
    await outpost.stop();
    watchVisitors(join(place.folder, 'data', 'outpost.sqlite'));
    await start();
  }
  const isPosted = (player: string): boolean =>
    discord
      .messages(channelId)
      .some(({ embeds: [embed] }) =>
        ofVisits
          ? embed?.title?.includes(` ${player} is on`) === true
          : embed?.description?.includes(`**${player}**`) === true,
      );
  // What stands in the log when it is found is its past.
  while (discord.messages(channelId).length === 0) {
    log.warmUp();
    await sleep(1_000);
  }
  for (let done = 0; done < count; done += 1) {
    // At any moment between two looks into the log.
    await sleep(paceMs * (0.8 + 0.4 * Math.random()));
    const startedAt = performance.now();
    log.kill();
    const waited = (): number => performance.now() - startedAt;
    while (!isPosted(log.died.at(-1) ?? '') && waited() < patienceMs) await sleep(5);
    waits.push(waited());
  }
} finally {
  await place.remove();
  await discord.close();
}
const [p50, p99, last] = [0.5, 0.99, 1].map((share) => quantile(waits, share)) as [number, number, number];
console.log(
  `${count} ${ofVisits ? 'visits' : 'kills'}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, last ${last.toFixed(0)} ms; p99 at most ${boundMs} ms`,
);
process.exit(p99 > boundMs ? 1 : 0);
