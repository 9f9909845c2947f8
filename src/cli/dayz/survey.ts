import {
  type DayzServerConfig,
  isServerConfig,
  type Launch,
  maxServerConfigBytes,
  readServerConfig,
  readStartScript,
  textOf,
} from 'dayz-files';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import type { Search } from './search.ts';

/** What lies in a folder and below it. */
export interface Survey {
  root: string;
  configs: FoundConfig[];
  /** Folders of `.ADM` files. */
  logFolders: string[];
  /** Folders whose folders are missions: `mpmissions`. */
  missionFolders: string[];
  banFiles: FoundBanFile[];
  /** From start scripts. */
  launches: FoundLaunch[];
}

/** A serverDZ.cfg, under any name. */
export interface FoundConfig {
  file: string;
  config: DayzServerConfig;
}

export interface FoundBanFile {
  file: string;
  /** As in the config. */
  format: string;
}

export interface FoundLaunch extends Launch {
  /** The folder of the script. */
  folder: string;
}

const depth = 4;
const maxScriptBytes = 64 * 1024;
/** Of the game and its tools, large, and without anything that is searched for. */
const uninteresting =
  /^(?:\..*|@.*|addons|bliss|dta|keys|dlc|steamapps|steamcmd|node_modules|docs|dump|mods|workshop|lib|lib64|linux(?:32|64))$/i;
/** A mission's folder holds thousands of files, and its name has a dot like a file's. */
const isMissionFolder = (name: string): boolean => /^mpmissions$|_missions$/i.test(name);
const isServerProgram = (name: string): boolean => /^DayZServer(?:_x64)?(?:\.exe)?$/i.test(name);
const isFileName = (name: string): boolean => /\.[A-Za-z0-9]{1,10}$/.test(name);

const banFormats = new Map<string, string>(
  dayz.banFiles.map(({ file, format }) => [file.toLowerCase(), format]),
);

/** A folder, and what the folders above it hold. */
interface Visit {
  folder: string;
  above: readonly string[];
}

/** Looks through a game server's folder. */
export async function survey(search: Search, root: string): Promise<Survey> {
  const found: Survey = { root, configs: [], logFolders: [], missionFolders: [], banFiles: [], launches: [] };
  let level: Visit[] = [{ folder: root, above: [] }];
  for (let left = depth; left > 0 && level.length > 0; left--) {
    const next: Visit[] = [];
    for (const visit of level) next.push(...(await surveyFolder(search, visit, found)));
    level = next;
  }
  return found;
}

/** @returns the folders in it that may hold more */
async function surveyFolder(search: Search, { folder, above }: Visit, found: Survey): Promise<Visit[]> {
  const names = (await search.names(folder)) ?? [];
  const contents = names.join('/');
  // A link to a folder above it.
  if (above.includes(contents)) return [];
  if (names.some((name) => /\.adm$/i.test(name))) found.logFolders.push(folder);
  const next: Visit[] = [];
  for (const name of names) {
    const path = search.files.path.join(folder, name);
    const banFormat = banFormats.get(name.toLowerCase());
    if (banFormat !== undefined) found.banFiles.push({ file: path, format: banFormat });
    else if (isMissionFolder(name)) found.missionFolders.push(path);
    else if (/\.cfg$/i.test(name)) {
      const bytes = await search.read(path, maxServerConfigBytes);
      const config = bytes === null ? null : readServerConfig(bytes);
      if (config !== null && isServerConfig(config)) found.configs.push({ file: path, config });
    } else if (/\.(?:bat|cmd|sh|ps1)$/i.test(name)) {
      const bytes = await search.read(path, maxScriptBytes);
      const launches = bytes === null ? [] : readStartScript(textOf(bytes));
      found.launches.push(...launches.map((launch) => ({ ...launch, folder })));
    } else if (!isFileName(name) && !uninteresting.test(name) && !isServerProgram(name)) {
      next.push({ folder: path, above: [...above, contents] });
    }
  }
  return next;
}
