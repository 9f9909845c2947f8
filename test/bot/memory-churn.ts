// Runs in a process of its own: makes garbage that has lived long enough to leave the young generation, as every request
// to Discord leaves some. Prints the largest heap in MiB. With the argument `bot` there is a bot in the process.
import { setImmediate as turn } from 'node:timers/promises';
import { Keyv } from 'keyv';
import { pino } from 'pino';
import { createClient } from '../../src/api/client.ts';
import { startBot } from '../../src/bot/bot.ts';
import { createPictures } from '../../src/bot/pictures/pictures.ts';
import { singleProject } from '../../src/bot/shown-project.ts';
import { discord } from '../../src/config/schema/discord.ts';
import { noCommunity } from '../../src/community/no-community.ts';

const keptSlices = 40;
const churnedSlices = 250;
/** About a mebibyte. */
const slice = (): object[] => Array.from({ length: 20_000 }, (_, index) => ({ index, next: { index } }));

if (process.argv[2] === 'bot') {
  const nowhere = 'http://127.0.0.1:9';
  const client = createClient({ baseUrl: nowhere, applicationId: 'app', secret: 'secret' });
  startBot({
    token: 'local-test-token',
    apiUrl: `${nowhere}/api`,
    projects: singleProject(() => client, noCommunity),
    config: discord.parse({}),
    keyv: new Keyv(),
    pictures: createPictures(pino({ level: 'silent' }), null),
    records: null,
    log: pino({ level: 'silent' }),
  });
}
const kept = Array.from({ length: keptSlices }, slice);
let largest = 0;
for (let made = 0; made < churnedSlices; made += 1) {
  kept[made % keptSlices] = slice();
  largest = Math.max(largest, process.memoryUsage().heapUsed);
  await turn();
}
process.stdout.write(`${largest / 2 ** 20}\n`, () => process.exit());
