// The bot by itself, with the service in another process: what the bare bot is compared with. See discord.ts.
import { Keyv } from 'keyv';
import { createClient } from '../src/api/client.ts';
import { startBot } from '../src/bot/bot.ts';
import { createPictures } from '../src/bot/pictures/pictures.ts';
import { singleProject } from '../src/bot/shown-project.ts';
import { discord } from '../src/config/schema/discord.ts';
import { noCommunity } from '../src/community/no-community.ts';
import { createLogger } from '../src/process/log.ts';

const [baseUrl = '', applicationId = '', secret = ''] = process.argv.slice(2);

const client = createClient({ baseUrl, applicationId, secret });
const log = createLogger('info');
const bot = startBot({
  token: process.env['DISCORD_TOKEN'] as string,
  apiUrl: process.env['DISCORD_API_URL'],
  projects: singleProject(() => client, noCommunity),
  config: discord.parse({}),
  keyv: new Keyv(),
  pictures: createPictures(log, null),
  records: null,
  log,
});
process.once('SIGTERM', () => void bot.stop().then(() => process.exit()));
