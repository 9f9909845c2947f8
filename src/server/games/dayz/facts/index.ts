import type { GameFacts } from '../../facts.ts';
import { gestures } from './gestures.ts';
import { maps } from './maps.ts';
import { ports } from './ports.ts';

export const dayz = {
  type: 'dayz',
  name: 'DayZ',
  ports,
  words: {
    configFile: 'serverDZ.cfg',
    log: 'admin log',
    logFiles: '.ADM, .RPT and serverconsole.log',
    queryPort: 'steamQueryPort',
    startLogsIn: (folder) => `start the game server with -adminlog and -profiles=${folder}`,
  },
  maps,
  gestures,
  defaultName: 'Survivor',
  usualLogs: { nitrado: 'config' },
  characterFile: { name: 'players.db', path: '…/mpmissions/<mission>/storage_<n>/players.db' },
  restartFile: (playersDb, { dirname, join }) => join(dirname(dirname(playersDb)), 'db', 'messages.xml'),
  banFiles: [
    { format: 'battleye', file: 'bans.txt' },
    { format: 'dayz', file: 'ban.txt' },
    { format: 'vpp', file: 'BanList.json' },
  ],
} as const satisfies GameFacts;
