import { LeaseLost, StoreUnavailable } from '../../store/engine/error.ts';
import { placedFile } from '../../store/repositories/projects/placed-file.ts';
import { BanFileReader } from '../bans/file-reader.ts';
import {
  type BanListFiles,
  findRemovedBanFiles,
  liftRemovedBanFile,
  sourceOf,
} from '../bans/removed-files.ts';
import { usualGameType } from '../../games/table.ts';
import { LogFolder } from '../logs/following/log-folder.ts';
import { followPlayersDb } from '../players/players-db-file.ts';
import { followMessages } from '../schedules/messages-file.ts';
import type { SourceOutcome, SourcePlan } from './polled-source.ts';
import { messagesFilesOf, type Sources } from './sources.ts';

/** The sources of the config, and what reads each. */
export function plansOf({ servers, banlists, places }: Sources): SourcePlan[] {
  return [
    ...servers.flatMap((server) => plansOfServer(server, places?.get(server.id))),
    ...banlists.flatMap((list) => plansOfList(list, places)),
  ];
}

function plansOfServer(server: Sources['servers'][number], place: SourcePlan['place']): SourcePlan[] {
  const { id, game = usualGameType, logs, playersDb } = server;
  const plans: SourcePlan[] = [];
  if (logs !== undefined) {
    plans.push({
      kind: 'logs',
      id,
      path: logs,
      place,
      open({ db, files, attempt, ...at }) {
        const folder = new LogFolder(db, files, { ...at, serverId: id, folder: logs });
        return async (full, signal) =>
          await attempt(async () => {
            const { report, problems } = await folder.poll(full, signal);
            const problem = problemOf(problems);
            return report === null ? { problem } : { report, problem };
          });
      },
    });
  }
  if (playersDb !== undefined) {
    plans.push({
      kind: 'playersDb',
      id,
      path: playersDb,
      place,
      settings: game,
      open({ attempt, ...at }) {
        const poll = followPlayersDb({ ...at, server: { id, game }, file: playersDb, isRemote: !!place });
        return async () => await attempt(poll);
      },
    });
  }
  for (const path of messagesFilesOf(server)) {
    const storedAs = placedFile(path, place && id);
    plans.push({
      kind: 'messages',
      id,
      path,
      place,
      settings: game,
      open({ attempt, ...at }) {
        const poll = followMessages({ ...at, game, path, storedAs });
        return async () => await attempt(poll);
      },
    });
  }
  return plans;
}

/** Where one thing is wrong with all files of a folder, its first files say so. */
const shownProblems = 5;

function problemOf(problems: readonly string[]): string | null {
  if (problems.length === 0) return null;
  const more = problems.length - shownProblems;
  return [...problems.slice(0, shownProblems), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function plansOfList({ id, sources }: BanListFiles, places: Sources['places']): SourcePlan[] {
  const files = sources.map((source): SourcePlan => {
    const { file, filesOf } = source;
    return {
      kind: 'bans',
      id,
      path: placedFile(file, filesOf),
      place: filesOf === undefined ? undefined : places?.get(filesOf),
      settings: JSON.stringify(source),
      open({ db, clock, files, attempt }) {
        const at = { ...source, db, clock, listId: id, files, source: sourceOf(source) };
        const reader = new BanFileReader(at);
        return async () => {
          let keepsBans = false;
          const read = await attempt(async () => {
            const result = await reader.read();
            keepsBans = result?.problem !== undefined;
            return result;
          });
          return keepsBans ? read.map((one) => ({ ...one, keptBans: true as const })) : read;
        };
      },
    };
  });
  return [...files, planOfRemoved({ id, sources })];
}

/** Lifts the bans of files that the config no longer names for a list. */
function planOfRemoved({ id, sources }: BanListFiles): SourcePlan {
  return {
    kind: 'bans',
    id,
    path: '',
    settings: JSON.stringify(sources),
    open({ attempt, isListRead, db, clock }) {
      let areLifted = false;
      return async () => {
        if (areLifted || !(await isListRead(id))) return [];
        try {
          const removed = await findRemovedBanFiles(db, { id, sources });
          const outcomes: SourceOutcome[] = [];
          let left = removed.length;
          for (const file of removed) {
            const lift = async () => {
              const report = await liftRemovedBanFile(db, id, file, clock.now);
              left -= 1;
              return { report };
            };
            outcomes.push(...(await attempt(lift, { path: file.file })));
          }
          areLifted = left === 0;
          return outcomes;
        } catch (error) {
          // The next poll tries again.
          if (error instanceof StoreUnavailable || error instanceof LeaseLost) return [];
          throw error;
        }
      };
    },
  };
}
