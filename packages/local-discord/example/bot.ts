// A bot on a Discord of its own. Run it with `npx tsx example/bot.ts`, open the page that it prints, and type /ping.
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { startLocalDiscord } from 'local-discord';

const token = 'any-text';
const discord = await startLocalDiscord({ token, port: Number(process.argv[2] ?? 8090) });
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord.apiUrl } });

client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand()) return;
  await interaction.reply(`Pong, ${interaction.user.displayName}!`);
});
client.once(Events.ClientReady, async ({ application }) => {
  await application.commands.set([{ name: 'ping', description: 'Answers at once' }]);
  console.log(`Open ${discord.pageUrl} and type /ping`);
});
await client.login(token);
