// The bot by itself, with the service in another process: what the bare bot is compared with. See discord.ts.
import { Keyv } from 'keyv';
import { sameProject } from '../src/bot/shown-project.ts';
import { createLogger } from '../src/process/log.ts';

/** The built modules, as they run for real. */
const { createClient } = (await built('api/client')) as typeof import('../src/api/client.ts');
const { startBot } = (await built('bot/bot')) as typeof import('../src/bot/bot.ts');
const [baseUrl = '', applicationId = '', secret = ''] = process.argv.slice(2);

const client = createClient({ baseUrl, applicationId, secret });
const bot = startBot({
  token: process.env['DISCORD_TOKEN'] as string,
  apiUrl: process.env['DISCORD_API_URL'],
  projects: sameProject(() => client),
  config: { guildIds: [], statusPosts: [] },
  keyv: new Keyv(),
  log: createLogger('info'),
});
process.once('SIGTERM', () => void bot.stop().then(() => process.exit()));

async function built(module: string): Promise<unknown> {
  return await import(new URL(`../dist/${module}.js`, import.meta.url).href);
}
