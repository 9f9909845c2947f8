// What the bot is measured against: discord.js and nothing else, answering a constant. See discord.ts.
import { readFileSync } from 'node:fs';
import { Client, Events, GatewayIntentBits, type InteractionReplyOptions } from 'discord.js';

const constant = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as InteractionReplyOptions;
const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { version: '10', api: process.env['DISCORD_API_URL'] as string },
});
client.on(Events.InteractionCreate, (interaction) => {
  if (interaction.isChatInputCommand()) void interaction.reply(constant);
});
client.once(Events.ClientReady, () => process.stdout.write('the bot is online\n'));
await client.login(process.env['DISCORD_TOKEN']);
