import { adminLog, howKilled, serverConsole, serverReport } from 'dayz-files';
import type { GameCode } from '../game.ts';
import { findServers } from './find/servers-in-folder.ts';
import { checkServerConfig, findServerConfig } from './server-config-checks.ts';

export const game: GameCode = {
  logs: [adminLog, serverReport, serverConsole],
  findServers,
  howKilled,
  async checkConfig(server, port, isAnswering) {
    const own = await findServerConfig(server, port);
    return own === null ? [] : checkServerConfig(server, own, isAnswering, port);
  },
};
