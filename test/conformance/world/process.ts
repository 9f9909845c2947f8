import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { keptMs } from '../../../src/server/http/answers/answer-cache.ts';
import { openWriter, storeFile } from '../../../src/server/store/engine/database.ts';
import { createWorkplace, type Workplace } from '../../harness/outpost-process.ts';
import { conformanceConfig } from './config.ts';
import { fillStore } from './fill.ts';
import { startGames } from './games.ts';
import { ownService } from './own.ts';
import type { OwnService } from './service.ts';

export interface World<Context> {
  service: Context;
  /** What runs there, for the report. */
  title: string;
  close(): Promise<void>;
}

export interface ProcessOptions {
  /** Where the process listens; default any free port. */
  port?: number;
  /** Requests go to this address instead: that of a proxy in front of the process. */
  via?: string;
  /** Starts the service; default one process with its SQLite file. */
  start?: StartService;
  /** Runs commands; default the real program. */
  outpost?: (place: Workplace) => OwnService['outpost'];
}

/** A service of real processes. */
export interface Started {
  url: string;
  /** Where its store is, a file or a URL. */
  location: string;
  title: string;
  /** All that the processes have printed. */
  output(): string;
}

/** @param closers gets what ends the service, in order @param place has the config; its environment also applies to commands */
export type StartService = (place: Workplace, closers: (() => Promise<unknown>)[]) => Promise<Started>;

/** The real program, `dist/main.js start`, with its store, its game servers on UDP, and its command line. */
export async function startProcessWorld(options: ProcessOptions = {}): Promise<World<OwnService>> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    const games = await startGames();
    for (const game of Object.values(games)) closers.push(() => game.close());
    const config = conformanceConfig({
      live: games.live.port,
      dead: games.dead.port,
      fading: games.fading.port,
    });
    const place = await createWorkplace();
    closers.push(place.remove);
    await place.configure({ ...config, http: { ...config.http, port: options.port ?? 0 } });
    const start = options.start ?? oneProcess;
    const { url, location, title, output } = await start(place, closers);
    // A second connection, as the command line opens one: the running process sees what it commits.
    const writer = await openWriter(location);
    closers.push(writer.close);
    await fillStore(writer.db, Date.now());
    const service = await ownService(options.via ?? url, writer.db, Date.now, {
      games,
      logged: output,
      shown: () => delay(keptMs + 100),
      outpost: options.outpost?.(place) ?? place.outpostJson,
    });
    return { service, title, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const oneProcess: StartService = async (place) => {
  const { url, output } = await place.start({ LOG_LEVEL: 'debug' });
  const location = storeFile(join(place.folder, 'data'));
  return { url, location, title: 'the real process (dist/main.js), system clock', output };
};
