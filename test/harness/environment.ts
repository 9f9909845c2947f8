import type { ComposeOptions } from '../../src/compose/compose.ts';

type ComposeEnvironment = ComposeOptions['environment'];

/** Of a process whose bot is off. */
export function withoutDiscord(
  dataFolder: string,
  more: Pick<ComposeEnvironment, 'storeUrl'> = {},
): ComposeEnvironment {
  return { configFile: '', dataFolder, discordToken: null, discordApiUrl: null, ...more };
}
