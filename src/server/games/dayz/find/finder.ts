import type { ServerFinder } from '../../game.ts';
import { isServerConfig, readServerConfig } from '../server-config.ts';
import { isServerProgram, type DayzLaunch, readLaunch } from './launch.ts';
import { serversIn } from './servers-in-folder.ts';
import { survey } from './survey.ts';

export const serverFinder: ServerFinder<DayzLaunch> = {
  program: 'DayZServer',
  folders: {
    steam: ['DayZServer', 'DayZ Server Exp', 'DayZServerExp'],
    windows: ['DayZServer', 'DayZ', 'DayZ Server', 'dayz-server', 'OmegaManager'],
    home: ['dayz', 'dayzserver', 'DayZServer', 'serverfiles'],
    // Without -profiles.
    logs: 'DayZ',
  },
  isProgram: isServerProgram,
  isInstall: (name) => isServerProgram(name) || /^serverDZ.*\.cfg$/i.test(name),
  readLaunch,
  async find(search, root, { configFile, ...folder }) {
    let found = await survey(search, root);
    if (configFile !== undefined) {
      const config = readServerConfig(configFile.bytes);
      if (!isServerConfig(config)) return { servers: [], logFolders: [] };
      found = { ...found, configs: [{ file: configFile.path, config }] };
    }
    return { servers: await serversIn(search, found, folder), logFolders: found.logFolders };
  },
};
