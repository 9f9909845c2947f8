// The bot of a project with 300 game servers, half of them dead, for a minute and a half: how old /status is, whether the
// service ever refused the bot for a limit, whether menus and autocompletion reach every server, CPU and memory. Needs a
// built dist/. Linux only (/proc). Arguments: servers (300), seconds (90).
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { startLocalDiscord, type LocalDiscord, type Message } from 'local-discord';
import { startSimulatedGameServer } from '../src/demo/game-server.ts';
import { createWorkplace } from '../test/harness/outpost-process.ts';

const count = Number(process.argv[2] ?? 300);
const seconds = Number(process.argv[3] ?? 90);
const token = 'local-bench-token';
const guildId = '1100000000000000100';
const channelId = '1100000000000000200';
const nameOf = (index: number): string => `Northwood | ${String(index).padStart(3, '0')}`;

let asked = 0;
/** Another member each time: the bot bounds what one may ask. */
const where = () => ({
  guildId,
  channelId,
  user: { id: String(1_200_000_000_000_000_000n + BigInt((asked += 1))), username: 'mira', locale: 'en-US' },
});

const place = await createWorkplace();
const discord = await startLocalDiscord({
  token,
  guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] }],
});
const games = await Promise.all(
  Array.from({ length: Math.ceil(count / 2) }, (_, index) =>
    startSimulatedGameServer({ name: `N${index}`, map: 'enoch', maxPlayers: 60, players: index % 60 }),
  ),
);
try {
  // Even ones are alive; odd ones have the port of nobody.
  await place.configure({
    projects: [
      {
        slug: 'northwood',
        name: 'Northwood',
        servers: Array.from({ length: count }, (_, index) => ({
          id: `northwood-${index}`,
          name: nameOf(index),
          host: '127.0.0.1',
          port: 2302 + index,
          queryPort: index % 2 === 0 ? (games[index / 2]?.port ?? 1) : 1,
          schedules: [
            {
              kind: 'RESTART' as const,
              title: 'Restart',
              recurrence: 'INTERVAL' as const,
              intervalMinutes: 240,
              public: true,
            },
          ],
        })),
      },
    ],
    discord: {},
  });
  const own = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl, LOG_LEVEL: 'debug' };
  const outpost = await place.start(own);
  await outpost.logged('the bot is online');
  while (discord.commands().length === 0) await delay(50);

  const ages: number[] = [];
  const waits: number[] = [];
  const startedAt = performance.now();
  const cpuBefore = await cpuSeconds(outpost.pid);
  while (performance.now() - startedAt < seconds * 1000) {
    const at = performance.now();
    const { message } = await discord.invoke({ ...where(), commandName: 'status', answerWithinMs: 60_000 });
    waits.push(performance.now() - at);
    // The oldest check of all servers, dead ones included.
    const checked = /checked <t:(\d+):R>/.exec(message?.embeds[0]?.description ?? '')?.[1];
    if (checked !== undefined && performance.now() - startedAt > 40_000)
      ages.push(Date.now() / 1000 - Number(checked));
    await delay(1_000);
  }
  const cpu = (await cpuSeconds(outpost.pid)) - cpuBefore;
  const elapsed = (performance.now() - startedAt) / 1000;
  const refused = outpost
    .output()
    .split('\n')
    .filter((line) => line.includes('"status":429')).length;
  const [byMenu, byTyping] = [await reachedByMenu(discord), await reachedByTyping(discord)];
  console.log(`${count} servers, ${games.length} of them alive, ${elapsed.toFixed(0)} s`);
  console.log(
    `/status: ${waits.length} answers, slowest ${Math.max(...waits).toFixed(0)} ms; oldest check shown ${Math.max(...ages).toFixed(0)} s old`,
  );
  console.log(`${refused} requests of the bot refused for a limit`);
  console.log(`the menu reaches ${byMenu} of ${count} servers, autocompletion ${byTyping}`);
  console.log(
    `the process: ${((100 * cpu) / elapsed).toFixed(0)} % of a core, ${(await residentMiB(outpost.pid)).toFixed(0)} MiB`,
  );
} finally {
  await place.remove();
  await discord.close();
  for (const game of games) await game.close();
}

async function reachedByMenu(local: LocalDiscord): Promise<number> {
  const start = where();
  const { message } = await local.invoke({ ...start, commandName: 'status', answerWithinMs: 60_000 });
  const seen = new Set<string>();
  for (let shown: Message | null = message; shown;) {
    const menu = shown.components.flatMap((row) => row.components ?? []).find(({ options }) => options);
    const values = (menu?.options ?? []).map(({ value }) => value);
    for (const value of values.filter((each) => !each.startsWith('>'))) seen.add(value);
    const next = values.at(-1);
    if (menu?.custom_id === undefined || !next?.startsWith('>')) break;
    const turned = { messageId: shown.id, customId: menu.custom_id, values: [next], user: start.user };
    shown = (await local.select(turned)).message;
    // One member turns all pages, and the bot bounds each.
    await delay(300);
  }
  return seen.size;
}

async function reachedByTyping(local: LocalDiscord): Promise<number> {
  let reached = 0;
  for (let index = 0; index < count; index += 1) {
    const focused = { name: 'server', value: nameOf(index) };
    const choices = await local.autocomplete({ ...where(), commandName: 'status', focused });
    if (choices.some(({ value }) => value === `northwood-${index}`)) reached += 1;
  }
  return reached;
}

async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
