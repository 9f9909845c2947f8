// The bot by itself, with the service in another process: what the bare bot is compared with. See discord.ts.
import { Keyv } from 'keyv';
import { createClient } from '../src/api/client.ts';
import { startBot } from '../src/bot/bot.ts';
import { sameProject } from '../src/bot/shown-project.ts';
import { createLogger } from '../src/process/log.ts';

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
