import type { PlatformPath } from 'node:path';

/** What is known of a game as plain data, for whoever may not load the code that reads its files. */
export interface GameFacts {
  /** GameDig's type, as in the config: `dayz`. */
  readonly type: string;
  /** As people write it. */
  readonly name: string;
  readonly ports: GamePorts;
  readonly words: GameWords;
  readonly maps?: GameMaps;
  /** Gestures that its logs name, by the log's word, with their English names in the game; left out: logs name none. */
  readonly gestures?: Readonly<Record<string, string>>;
  /**
   * What it calls a player who chose no name, without the number of those who share it: `Survivor (2)`. Left out: everybody
   * has a name of their own.
   */
  readonly defaultName?: string;
  /** The folder of its logs at hosts where every server has the same one, by the `type` of `files` in the config. */
  readonly usualLogs?: Readonly<Record<string, string>>;
  /** What the config names by `playersDb`; left out: the game has no such file. */
  readonly characterFile?: GameFile;
  /** The file of a schedule with the source `messages.xml`, where the config names none. */
  restartFile?(playersDb: string, path: PlatformPath): string;
  readonly banFiles: readonly GameBanFile[];
}

export interface GamePorts {
  /** The game port where nothing says another. */
  readonly usual: number;
  /** The query ports that may belong to a game port, likely ones first. */
  query(gamePort: number): number[];
}

/** Words and sentences for owners. */
interface GameWords {
  /** The server's config file: `serverDZ.cfg`. */
  readonly configFile: string;
  /** The log that is counted: `admin log`. */
  readonly log: string;
  /** The names of its log files: `.ADM, .RPT and serverconsole.log`. */
  readonly logFiles: string;
  /** What the query port is called in its config file: `steamQueryPort`. */
  readonly queryPort: string;
  /** How a server is made to write its logs into a folder that the config can name. */
  startLogsIn(folder: string): string;
}

export interface GameMaps {
  /** The display name of a map, by the name that a server reports. Null: it is not listed. */
  nameOf(map: string): string | null;
  /** The address of a page that shows a place on a map, in metres from its south-west corner. Null: there is none. */
  pageOf(map: string, place: { east: number; north: number }): string | null;
  /** The terrain of a map. Null: its size is not known. */
  terrainOf(map: string): Terrain | null;
}

/** A square terrain. */
export interface Terrain {
  /** The length of its side. */
  readonly meters: number;
  /** The largest first; empty: none is known. */
  readonly towns: readonly Town[];
  /** Left out: only its size is known. */
  readonly shape?: TerrainShape;
}

/** Each line is its points, one after another: east, north, east, north, … in metres from the south-west corner. */
export interface TerrainShape {
  /** Closed; everything else is sea. */
  readonly land: readonly (readonly number[])[];
  /** Closed. */
  readonly lakes: readonly (readonly number[])[];
  readonly rivers: readonly (readonly number[])[];
  /** The main ones. */
  readonly roads: readonly (readonly number[])[];
}

/** In metres from the south-west corner. */
export interface Town {
  readonly name: string;
  readonly east: number;
  readonly north: number;
}

interface GameFile {
  /** `players.db` */
  readonly name: string;
  /** With the folders in which it usually is. */
  readonly path: string;
}

interface GameBanFile {
  /** The key `format` of the config. */
  readonly format: string;
  /** The usual name of such a file. */
  readonly file: string;
}
