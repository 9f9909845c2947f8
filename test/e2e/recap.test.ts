import { join } from 'node:path';
import { DateTime } from 'luxon';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000001';
const channelId = '1100000000000000101';
const [ann, bob] = ['76561198000000001', '76561198000000002'].map((id) => dayzIdOf(id));
let place: Workplace;
let discord: LocalDiscord;

beforeEach(async () => {
  place = await createWorkplace();
  const channels = [{ id: channelId, name: 'recaps' }];
  discord = await startLocalDiscord({ token, guilds: [{ id: guildId, name: 'G', channels }] });
  const lastWeek = DateTime.utc().startOf('week').minus({ days: 3 }).toISODate();
  const file = await place.write(
    'server.ADM',
    [
      `AdminLog started on ${lastWeek} at 12:00:00`,
      `12:10:00 | Player "Bob" (DEAD) (id=${bob}) killed by Player "Ann" (id=${ann}) with SVD from 300 meters `,
      '',
    ].join('\n'),
  );
  const server = { id: 'northwood-1', name: 'Northwood', host: '127.0.0.1', port: 2302 };
  await place.configure({
    projects: [{ slug: 'northwood', name: 'Northwood', servers: [server] }],
    discord: { locale: 'en-US', recapPosts: [{ channelId, cron: '0 0 * * 1' }] },
  });
  expect((await place.outpost('import', 'adm', '--server', 'northwood-1', file)).code).toBe(0);
});
afterEach(async () => {
  await place.remove();
  await discord.close();
});

const start = async (): Promise<Running> =>
  await place.start({ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl });

/** The messages in the ledger. */
function messagesInLedger(): unknown[] {
  const db = new SQLite(join(place.folder, 'data', 'outpost.sqlite'), { readonly: true });
  try {
    return db.prepare('SELECT DISTINCT message_id FROM naming_message').pluck().all();
  } finally {
    db.close();
  }
}

const texts = (): string[] =>
  discord.messages(channelId).map(({ attachments: [picture] }) => picture?.description ?? '');
const patient = { timeout: 60_000 };

it('posts the recap once, though it is killed while Discord answers and after that, and deletes it when its player is hidden', async () => {
  let sent = (): void => undefined;
  const sending = new Promise<void>((resolve) => (sent = resolve));
  discord.fail(
    ({ method, path }) => {
      const isRecap = method === 'POST' && path.endsWith(`/channels/${channelId}/messages`);
      if (isRecap) sent();
      return isRecap;
    },
    { cut: true, afterwards: true },
  );
  const first = await start();
  await sending;
  first.signal('SIGKILL');
  await first.ended;
  const second = await start();
  const posted = (): string => discord.messages(channelId)[0]?.id ?? 'none';
  await expect.poll(() => messagesInLedger().includes(posted()), patient).toBe(true);
  second.signal('SIGKILL');
  await second.ended;

  const third = await start();
  expect(texts()).toEqual([expect.stringContaining('Most kills: Ann, 1 kill')]);
  await place.outpost('player', 'hide', '76561198000000001');
  await expect.poll(texts, patient).toEqual([]);
  await third.stop();
  expect(messagesInLedger()).toEqual([]);
});
