import type { Command } from 'commander';
import type { Outpost } from '../compose.ts';
import { ConfigError, readConfig, readEnvironment } from '../config.ts';
import { createLogger } from '../log.ts';

/** In-flight work gets so long after a signal; then the process ends all the same. */
const shutdownMs = 4_500;

export function addStartCommand(program: Command): void {
  program
    .command('start')
    .description('run the service and the bot until a signal (SIGHUP reads the config anew)')
    .action(async () => {
      const environment = readEnvironment();
      const config = readConfig(environment.configFile);
      const log = createLogger(environment.logLevel);
      // Loaded only here: the other commands need no Discord and should answer at once.
      const { compose } = await import('../compose.ts');
      const outpost = await compose({ config, environment, log });
      process.on('SIGHUP', () => {
        log.info('SIGHUP: reading the config anew');
        try {
          outpost.reload(readConfig(environment.configFile)).then(
            () => log.info('the changed config is in force'),
            (error: unknown) =>
              log.error({ err: error }, 'the config was not taken over; the former one stays'),
          );
        } catch (error) {
          const reason = error instanceof ConfigError ? error.message : String(error);
          log.error(`the config was not taken over; the former one stays. ${reason}`);
        }
      });
      await untilSignal(outpost, log.info.bind(log));
    });
}

/** Waits for SIGINT or SIGTERM, then closes. A second signal ends the process at once. */
export async function untilSignal(
  outpost: Pick<Outpost, 'close'>,
  say: (text: string) => void,
): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  say(`${signal}: finishing what is in flight`);
  const deadline = setTimeout(() => {
    say('not everything ended in time');
    process.exit(1);
  }, shutdownMs);
  await outpost.close();
  clearTimeout(deadline);
  say('stopped');
  // Abandoned queries of game servers would keep the process for seconds.
  process.stdout.write('', () => process.exit());
}
