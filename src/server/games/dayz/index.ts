import type { Game } from '../game.ts';
import { adminLog } from './admin-log.ts';
import { banFormats } from './bans/index.ts';
import { serverFinder } from './find/finder.ts';
import { serverConsole, serverReport } from './identity-log.ts';
import { characterFiles } from './players-db.ts';
import { checkServerConfig, findServerConfig } from './server-config-checks.ts';
import { defaultGamePort, defaultQueryPort } from './server-config.ts';

export const dayz = {
  type: 'dayz',
  name: 'DayZ',
  logs: [adminLog, serverReport, serverConsole],
  ports: {
    usual: defaultGamePort,
    // Those of the game itself, and those that panels use.
    query: (port) => [defaultQueryPort(port), 27_016, port + 1, port + 3, 2305, port],
  },
  words: {
    configFile: 'serverDZ.cfg',
    log: 'admin log (.ADM)',
    queryPort: 'steamQueryPort',
    startLogs: 'start the game server with -adminlog',
    startLogsIn: 'start the game server with -adminlog and -profiles=FOLDER',
    otherFolder:
      'name the folder that the server writes to now (its -profiles=), and start it with -adminlog',
    folder: { windows: 'C:\\DayZServer', other: '/home/dayz/serverfiles' },
  },
  servers: serverFinder,
  characters: characterFiles,
  readRestart: async (text) => (await import('./messages-xml.ts')).readMessagesXml(text),
  banFormats,
  async checkConfig(server, port, isAnswering) {
    const own = await findServerConfig(server, port);
    return own === null ? [] : checkServerConfig(server, own, isAnswering, port);
  },
} as const satisfies Game;
