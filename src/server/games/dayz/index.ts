import type { BanFileFormat, GameCode } from '../game.ts';
import { adminLog } from './admin-log.ts';
import { banFormats } from './bans/index.ts';
import type { dayz } from './facts/index.ts';
import { findServers } from './find/servers-in-folder.ts';
import { serverConsole, serverReport } from './identity-log.ts';
import { characterFiles } from './players-db.ts';
import { checkServerConfig, findServerConfig } from './server-config-checks.ts';
import { howKilled } from './weapons.ts';

export const game: GameCode = {
  logs: [adminLog, serverReport, serverConsole],
  findServers,
  characters: characterFiles,
  howKilled,
  readRestart: async (text) => (await import('./messages-xml.ts')).readMessagesXml(text),
  banFormats: banFormats satisfies Record<(typeof dayz)['banFiles'][number]['format'], BanFileFormat>,
  async checkConfig(server, port, isAnswering) {
    const own = await findServerConfig(server, port);
    return own === null ? [] : checkServerConfig(server, own, isAnswering, port);
  },
};
