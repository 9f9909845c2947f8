import type { SetupApplication, SetupChannel, SetupGuild } from '../../bot/setup/setup.ts';
import type { Place } from '../../server/files/remote/place.ts';
import type { FoundBanFile } from '../../server/games/game.ts';

/** What is written into the config, and what is still missing. Holds secrets. */
export interface Plan {
  /** Null: named after the Discord server or the game servers. */
  name: string | null;
  servers: PlannedServer[];
  discord: PlannedDiscord | null;
  httpPort: number;
}

export interface PlannedServer {
  /** GameDig's type; left out: the config's default. */
  game?: string;
  name: string;
  /** False: the name is made of the address. Left out: true. */
  isNamed?: boolean;
  host: string;
  port: number;
  /** Null: there is none. */
  queryPort: number | null;
  timezone: string;
  /** What the zone rests on. */
  timezoneBasis: string;
  /** Where its files lie; null: on this machine. */
  place: Place | null;
  /** The file of the place's private key; the config names it, so that the key stays there. */
  privateKeyFile?: string;
  /** Null: there are none. Paths on this machine are absolute. */
  logs: string | null;
  playersDb: string | null;
  /** Null: there is none, or it announces no restart. */
  messagesFile: string | null;
  banFiles: FoundBanFile[];
  /** What the owner still has to do, as sentences. */
  missing: string[];
}

export interface PlannedDiscord {
  application: SetupApplication;
  /** Null: it stands in the environment or `.env` already. */
  newToken: string | null;
  /** Those that the bot is in. */
  guilds: readonly SetupGuild[];
  /** Null: the bot is in none, or in several of which none was chosen. */
  guild: SetupGuild | null;
  /** For the status post; null: none. */
  channel: SetupChannel | null;
}
