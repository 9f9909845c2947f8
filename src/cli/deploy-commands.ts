import { readBotConfig, readConfig, readEnvironment } from '../config/load.ts';
import { ConfigError } from '../config/error.ts';
import { CommandFailure, printResult, type Output } from './output.ts';

export async function deploy(output: Output): Promise<void> {
  const environment = readEnvironment();
  const { configFile, remoteService, discordToken: token, discordApiUrl } = environment;
  const discord = (remoteService === null ? readConfig(configFile) : readBotConfig(configFile))?.discord;
  if (token === null)
    throw new ConfigError('DISCORD_TOKEN is not set: put the bot’s token there or into .env');
  const { deployCommands } = await import('../bot/deploy.ts');
  const deployments = await deployCommands({
    token,
    apiUrl: discordApiUrl ?? undefined,
    guildIds: discord?.guildIds,
  }).catch((error: unknown) => {
    throw new CommandFailure(`Discord did not take the commands: ${(error as Error).message}`, {
      cause: error,
    });
  });
  const lines = deployments.map(({ guildId, names }) => {
    const where = guildId === null ? 'everywhere' : `in guild ${guildId}`;
    return names.length === 0
      ? `none ${where}`
      : `registered ${where}: ${names.map((name) => `/${name}`).join(' ')}`;
  });
  printResult(output, deployments, lines.join('\n'));
}
