import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Community, guilds } from './community.ts';

/** How the titles of alerts begin. */
const titles = { players: '👥', down: '🔴', up: '🟢' } as const;
/** The record of an alerts job, as far as this reads it. */
interface AlertRecord {
  /** By server. */
  state?: Record<string, { players?: { below: boolean } | null }>;
}

export type AlertKind = keyof typeof titles;

const pollMs = 500;
/**
 * Longer than an outage of a minute and a takeover take together, and the pauses before logins: the bot waits for minutes where
 * processes end every few seconds.
 */
const patienceMs = 600_000;

/** How many alerts of a kind a channel has. */
export function alertsIn(
  { discord }: Pick<Community, 'discord'>,
  channelId: string,
  kind: AlertKind,
): number {
  return discord.messages(channelId).filter(({ embeds }) => embeds[0]?.title?.startsWith(titles[kind]))
    .length;
}

export interface AlertCycles {
  /** How many of each kind each channel must have. */
  done(): number;
  /** What did not come in time. */
  lost: readonly string[];
  /** Resolves when a cycle that has begun has ended. */
  stop(): Promise<void>;
}

/**
 * Fills, empties, and takes down a game server, again and again, so many times at most. Each step waits for the alerts of the
 * one before.
 */
export function startAlertCycles(community: Community, client: Client, most: number): AlertCycles {
  const { game } = community;
  const lost: string[] = [];
  let cycles = 0;
  const stopping = new AbortController();

  async function until(what: string, isMet: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!(await isMet())) {
      if (performance.now() > end) return void lost.push(`cycle ${cycles}: ${what}`);
      await sleep(pollMs);
    }
  }

  const everywhere = (kind: AlertKind): Promise<void> =>
    until(kind, () => guilds.every(({ alerts }) => alertsIn(community, alerts, kind) >= cycles));

  /** Only a rise that follows a count below the threshold is an alert. */
  async function sawFewPlayers(): Promise<boolean> {
    const keys = guilds.map(({ alerts }) => `bot:alerts:${alerts}:0`);
    const { rows } = await client.query<{ value: string }>('SELECT value FROM keyv WHERE key = ANY($1)', [
      keys,
    ]);
    const states = rows.map(({ value }) => JSON.parse(value) as { value: AlertRecord });
    return (
      states.length === keys.length && states.every(({ value }) => value.state?.s?.players?.below === true)
    );
  }

  async function cycle(): Promise<void> {
    await until('few players', sawFewPlayers);
    cycles += 1;
    game.setPlayers(30);
    await everywhere('players');
    game.setPlayers(5);
    await until('few players', sawFewPlayers);
    game.setOnline(false);
    await everywhere('down');
    game.setOnline(true);
    await everywhere('up');
  }

  const running = (async () => {
    while (!stopping.signal.aborted && cycles < most) await cycle();
  })();
  return {
    done: () => cycles,
    lost,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
